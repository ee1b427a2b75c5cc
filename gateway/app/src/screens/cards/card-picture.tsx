import type { Card } from '@florin/client';
import { formatExpiry } from '@florin/ui/parts/time.tsx';
import { useTranslator } from '../../i18n/i18n.ts';

type PictureProps = {
  name: string;
  colour?: Card['colour'] | undefined;
  last4: string;
  expMonth: number;
  expYear: number;
  network: string;
  status: string;
  usedBy?: string | undefined;
};

/** A card as it would lie on the table. */
export const CardPicture = ({ name, colour, last4, expMonth, expYear, network, status: stored, usedBy }: PictureProps) => {
  const { t, word } = useTranslator();
  const status = stored === 'active' && usedBy !== undefined ? 'used' : stored;
  const statusText = word('card.status_', status);
  return (
    <div
      className={status === 'active' ? 'card-picture' : 'card-picture card-picture-still'}
      data-colour={colour}
      role="img"
      aria-label={t('card.picture', { name, last4, status: statusText })}
    >
      <div className="card-picture-line">
        <span className="card-picture-name">{name}</span>
        {status === 'active' ? <span className="card-picture-name">Florin</span> : <span className="badge">{statusText}</span>}
      </div>
      <span className="card-picture-number">•••• •••• •••• {last4}</span>
      <div className="card-picture-line">
        <span className="numbers">{formatExpiry(expMonth, expYear)}</span>
        <span className="card-picture-network">{network}</span>
      </div>
    </div>
  );
};
