import { useCallback, useEffect, useRef, useState } from 'react';
import type { ServerView } from '@/backend/bindings';
import { EmptyState } from '@/components/EmptyState';
import { ListDetail } from '@/components/list-detail/ListDetail';
import { Segmented } from '@/components/Segmented';
import { useList } from '@/state/calls/lists';
import { isSubscribed, useSubscriptions } from '@/state/calls/subscriptions';
import { useSelectedItem } from '@/state/navigation';
import { ConnectedList } from '@/widgets/item-list/ConnectedList';
import { ItemList } from '@/widgets/item-list/ItemList';
import { useItem } from '@/widgets/item-list/use-item';
import { ResourceDetail, TemplateDetail } from './ResourceDetail';
import { RESOURCES } from './texts';

type Kind = 'resources' | 'resourceTemplates';

const KINDS = [
  { value: 'resources', label: RESOURCES.resources },
  { value: 'resourceTemplates', label: RESOURCES.templates },
] as const;

const PANES = [
  { id: 'list', size: 340, min: 200, keepsPixels: true },
  { id: 'resource', min: 260 },
] as const;

/** The resources and resource templates of a server, and what reading one brings. */
export default function ResourcesTab({ server }: { server: ServerView }) {
  const { id } = server;
  const resource = useSelectedItem(id, 'resources');
  const template = useSelectedItem(id, 'resourceTemplates');
  const hasResources = (useList(id, 'resources')?.count ?? 0) > 0;
  const hasTemplates = (useList(id, 'resourceTemplates')?.count ?? 0) > 0;
  const [kind, setKind] = useState<Kind>(
    hasTemplates && !hasResources ? 'resourceTemplates' : 'resources',
  );

  // Links and the palette open one resource: the list that it stands in comes to the front.
  const before = useRef({ resource, template });
  useEffect(() => {
    if (resource !== before.current.resource) setKind('resources');
    else if (template !== before.current.template) setKind('resourceTemplates');
    before.current = { resource, template };
  }, [resource, template]);

  const selected = kind === 'resources' ? resource : template;
  const found = useItem(id, kind, selected);
  const subscriptions = useSubscriptions();
  /** The resource that the user chose in the list. */
  const [chosen, setChosen] = useState<string>();
  const choose = useCallback((name: string) => setChosen(`${id}\n${name}`), [id]);
  const item = found.state === 'there' ? found.item : undefined;
  return (
    <ConnectedList server={server} lists={['resources', 'resourceTemplates']} noun={RESOURCES.noun}>
      <ListDetail name="resources" panes={PANES}>
        <ItemList
          key={kind}
          server={id}
          list={kind}
          label={kind === 'resources' ? RESOURCES.resources : RESOURCES.templates}
          onChoose={choose}
          mark={(row) =>
            isSubscribed(subscriptions, server, row.name) ? RESOURCES.subscribedMark : undefined
          }
        >
          <Segmented label={RESOURCES.kind} segments={KINDS} value={kind} onChange={setKind} />
        </ItemList>
        {selected === null || found.state === 'loading' ? (
          <EmptyState
            title={kind === 'resources' ? RESOURCES.chooseResource : RESOURCES.chooseTemplate}
          >
            {kind === 'resources' ? RESOURCES.resourceHint : RESOURCES.templateHint}
          </EmptyState>
        ) : kind === 'resources' ? (
          <ResourceDetail
            key={`${id}\n${selected}`}
            server={server}
            uri={selected}
            item={item}
            isChosen={chosen === `${id}\n${selected}`}
          />
        ) : (
          <TemplateDetail
            key={`${id}\n${selected}`}
            server={server}
            template={selected}
            item={item}
          />
        )}
      </ListDetail>
    </ConnectedList>
  );
}
