import { Confirmed } from '@/components/Confirmed';
import { otherOrigin } from '@/lib/url';
import styles from './auth.module.css';
import { AGREEMENT } from './texts';

/** An address that the user agrees to, and the origin that is asked where it reads otherwise. */
export function AgreedAddress({ address }: { address: string }) {
  const origin = otherOrigin(address);
  return (
    <>
      <Confirmed text={address} />
      {origin !== undefined && (
        <p className={styles.prose}>
          <span className="text-small warn" aria-hidden="true">
            ▲
          </span>{' '}
          {AGREEMENT.leadsTo}
          <Confirmed text={origin} />
        </p>
      )}
    </>
  );
}
