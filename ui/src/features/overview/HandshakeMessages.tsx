import { useState } from 'react';
import type { HandshakeResult } from '@/backend/bindings';
import { Section } from '@/components/Section';
import { Segmented } from '@/components/Segmented';
import { LineView } from '@/widgets/line-view/LineView';
import styles from './overview.module.css';

type Side = 'request' | 'response';

/** Both sides' first message, as they crossed the wire. */
export function HandshakeMessages({ handshake }: { handshake: HandshakeResult }) {
  const [side, setSide] = useState<Side>('response');
  const frame = side === 'request' ? handshake.request_frame : handshake.response_frame;
  return (
    <Section
      title="Handshake"
      aside={
        <Segmented
          label="Message"
          value={side}
          onChange={setSide}
          segments={[
            { value: 'request', label: 'Request' },
            { value: 'response', label: 'Response' },
          ]}
        />
      }
    >
      <div className={styles.message}>
        <LineView query={{ frame, pointer: '', form: 'pretty' }} label={`Handshake ${side}`} />
      </div>
    </Section>
  );
}
