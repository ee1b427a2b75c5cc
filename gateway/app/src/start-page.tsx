import { useQuery } from '@tanstack/react-query';
import { isSandbox } from './environment.ts';

const isReady = async ({ signal }: { signal: AbortSignal }): Promise<boolean> => (await fetch('/health/ready', { signal })).ok;

/** Says where the visitor is, and whether the platform can serve them. */
export const StartPage = () => {
  const ready = useQuery({ queryKey: ['ready'], queryFn: isReady });
  return (
    <main>
      <h1>Florin</h1>
      <p>{isSandbox ? 'A card that spends from your own account. This is a sandbox.' : 'A card that spends from your own account.'}</p>
      <p role="status">
        {ready.data === true ? 'The service is ready.' : ready.isPending ? 'Connecting…' : 'The service is not available.'}
      </p>
    </main>
  );
};
