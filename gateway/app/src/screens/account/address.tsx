/** Half of `0x` and 40 digits. */
const HALF = 21;

/** An address of a chain. Where it does not fit one line it breaks in its middle, so that both ends can be compared at a glance. */
export const Address = ({ address }: { address: string }) => (
  <>
    <span className="half">{address.slice(0, HALF)}</span>
    <span className="half">{address.slice(HALF)}</span>
  </>
);
