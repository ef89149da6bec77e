import { useState } from 'react';
import type { HandshakeResult } from '@/backend/bindings';
import { Section } from '@/components/Section';
import { Segmented } from '@/components/Segmented';
import { LineView } from '@/widgets/line-view/LineView';
import styles from './overview.module.css';
import { HANDSHAKE } from './texts';

type Side = 'request' | 'response';

/** Both sides' first message, as they crossed the wire. */
export function HandshakeMessages({ handshake }: { handshake: HandshakeResult }) {
  const [side, setSide] = useState<Side>('response');
  const frame = side === 'request' ? handshake.requestFrame : handshake.responseFrame;
  return (
    <Section
      title={HANDSHAKE.title}
      aside={
        <Segmented
          label={HANDSHAKE.message}
          value={side}
          onChange={setSide}
          segments={[
            { value: 'request', label: HANDSHAKE.request },
            { value: 'response', label: HANDSHAKE.response },
          ]}
        />
      }
    >
      <div className={styles.message}>
        <LineView query={{ frame, pointer: '', form: 'pretty' }} label={HANDSHAKE.label(side)} />
      </div>
    </Section>
  );
}
