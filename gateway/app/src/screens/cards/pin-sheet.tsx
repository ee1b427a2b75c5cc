import type { Card } from '@florin/client';
import { kept } from '@florin/ui/page/kept.ts';
import { Button } from '@florin/ui/parts/button.tsx';
import { Failure, SupportLink } from '@florin/ui/parts/failure.tsx';
import { TextField } from '@florin/ui/parts/field.tsx';
import { Sheet } from '@florin/ui/parts/sheet.tsx';
import { showToast } from '@florin/ui/parts/toast.tsx';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { client } from '../../api/client.ts';
import { refresh } from '../../api/queries.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { useShortSecret } from './use-short-secret.ts';

/** The parts that only this screen needs, and the wallet. */
const load = async () => {
  const [calls, { currentSigner }] = await Promise.all([import('@florin/client/viem'), import('../../wallet/signer.ts')]);
  return { calls, signer: await currentSigner() };
};

const readPin = async (cardId: string): Promise<string> => {
  const { calls, signer } = await load();
  return (await calls.reveal(client, signer, { cardId, action: 'view-pin' })).pin;
};

/** Thumbprint of the vault's key, kept from the first time: the vault keeps its key, so another one is the business of the person. */
const VAULT_KEY = 'florin.vault-key';

const isOtherKey = (error: unknown): boolean =>
  kept.read(VAULT_KEY) !== undefined && (error as { code?: unknown } | null)?.code === 'UNEXPECTED_TEXT';

const changePin = async (cardId: string, pin: string): Promise<void> => {
  const { calls, signer } = await load();
  const known = kept.read(VAULT_KEY);
  const { vaultKey } = await calls.setPin(client, signer, { cardId, pin, ...(known === undefined ? {} : { vaultKeys: [known] }) });
  kept.keep(VAULT_KEY, vaultKey);
};

const FOUR_DIGITS = /^\d{4}$/;

/** Shows and changes the PIN. Each needs a signature. */
export const PinSheet = ({ card, onClose }: { card: Card; onClose: () => void }) => {
  const { t } = useTranslator();
  const secret = useShortSecret<string>();
  const [pin, setPin] = useState('');
  const [hasTried, setTried] = useState(false);
  const reading = useMutation({
    mutationFn: () => readPin(card.id),
    gcTime: 0,
    onSuccess: (shown) => {
      secret.show(shown);
      reading.reset();
      void refresh('access-log');
    },
  });
  const setting = useMutation({
    mutationFn: (next: string) => changePin(card.id, next),
    gcTime: 0,
    onSuccess: () => {
      void refresh('access-log');
      showToast(t('pin.done'));
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (FOUR_DIGITS.test(pin)) setting.mutate(pin);
  };
  return (
    <Sheet title={t('pin.title')} onClose={onClose}>
      <p className="soft">{t('pin.lead')}</p>
      {secret.value === undefined ? (
        <Button busy={reading.isPending} onClick={() => reading.mutate()}>
          {t('pin.show')}
        </Button>
      ) : (
        <div className="notice">
          <p className="approval-amount numbers">{secret.value}</p>
          <p className="soft small numbers">{t('reveal.hides', { seconds: String(secret.left) })}</p>
        </div>
      )}
      <Failure error={reading.error} />
      <form className="form" onSubmit={submit} noValidate>
        <TextField
          label={t('pin.new')}
          hint={t('pin.hint')}
          value={pin}
          onChange={setPin}
          type="password"
          inputMode="numeric"
          autoComplete="off"
          maxLength={4}
          className="code-input"
          problem={hasTried && !FOUR_DIGITS.test(pin) ? t('pin.four') : undefined}
        />
        <Failure error={setting.error}>
          {isOtherKey(setting.error) ? (
            <>
              <p>
                {t('pin.key_changed')} <SupportLink subject={card.id} />
              </p>
              <Button
                small
                onClick={() => {
                  kept.forget(VAULT_KEY);
                  setting.mutate(pin);
                }}
              >
                {t('pin.trust')}
              </Button>
            </>
          ) : null}
        </Failure>
        <Button kind="primary" type="submit" busy={setting.isPending}>
          {t('pin.set')}
        </Button>
      </form>
    </Sheet>
  );
};
