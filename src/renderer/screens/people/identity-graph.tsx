import { Building2, CircleUserRound, Link2, type LucideIcon, UserRound } from 'lucide-react';
import { useState } from 'react';
import type { PersonView } from '../../../contract/persons.ts';
import { Button } from '../../components/button.tsx';
import { Text } from '../../components/text.tsx';
import { cx } from '../../lib/cx.ts';
import { plural } from '../../lib/format.ts';
import { formatRoute } from '../../stores/route.ts';
import css from './identity-graph.module.css';

/** More ids are named by their number alone. */
const MOST = 6;
const NODE = 36;
const STEP = 56;
const LEFT = 130;
const GAP = 50;
const RIGHT = 152;

interface Node {
  readonly key: string;
  readonly id: string;
  readonly note: string;
  readonly icon: LucideIcon;
  readonly kind: 'own' | 'main' | 'other' | 'group';
}

interface Edge {
  readonly from: number;
  readonly to: number;
  readonly isShared: boolean;
}

interface Graph {
  readonly left: readonly Node[];
  readonly right: readonly Node[];
  readonly edges: readonly Edge[];
  readonly hidden: number;
}

/** What belongs to the person stands left, the person, its groups and other people right. */
function graphOf({ key, name, calls, userIds, anonymousIds, groups }: PersonView): Graph {
  const own = [
    ...anonymousIds
      .filter(({ id }) => key.kind === 'user' || id !== key.id)
      .map(({ id, calls: n, sharedWith }) => ({
        id,
        note: `anon, ${plural(n, 'call')}`,
        icon: CircleUserRound,
        sharedWith,
      })),
    ...userIds.slice(1).map(({ id }) => ({ id, note: 'alias', icon: Link2, sharedWith: [] as string[] })),
  ];
  const shown = own.slice(0, MOST);
  const others = [...new Set(shown.flatMap(({ sharedWith }) => sharedWith))].slice(0, MOST);
  const right: Node[] = [
    ...others.map((id) => ({
      key: `other ${id}`,
      id,
      note: 'another person',
      icon: UserRound,
      kind: 'other' as const,
    })),
    { key: 'main', id: key.id, note: `${name ?? 'No name'}, ${plural(calls, 'call')}`, icon: UserRound, kind: 'main' },
    ...groups.slice(0, MOST).map(({ groupId, name: of }) => ({
      key: `group ${groupId}`,
      id: groupId,
      note: of ?? 'group',
      icon: Building2,
      kind: 'group' as const,
    })),
  ];
  const edges = shown.flatMap(({ sharedWith }, from): Edge[] => [
    { from, to: others.length, isShared: false },
    ...sharedWith.flatMap((id) => (others.includes(id) ? { from, to: others.indexOf(id), isShared: true } : [])),
  ]);
  const left = shown.map(({ id, note, icon }) => ({ key: `own ${id}`, id, note, icon, kind: 'own' as const }));
  return { left, right, edges, hidden: own.length - shown.length };
}

export function sentenceOf({ key, anonymousIds, userIds, groups }: PersonView): string {
  const parts = [
    anonymousIds.length > 0 && key.kind === 'user' ? plural(anonymousIds.length, 'anonymous id') : '',
    userIds.length > 1 ? plural(userIds.length - 1, 'alias', 'aliases') : '',
    groups.length > 0 ? plural(groups.length, 'group') : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'one id' : parts.join(', ');
}

/** Solid lines tie the ids of one person, dashed ones lead to other people. */
export function IdentityGraph({ person }: { person: PersonView }) {
  const [asTable, setAsTable] = useState(false);
  const graph = graphOf(person);
  const rows = Math.max(graph.left.length, graph.right.length);
  return (
    <section className={css.identity} aria-label="Identity">
      <header>
        <h3>
          Identity <span className="muted">{sentenceOf(person)}</span>
        </h3>
      </header>
      {asTable ? (
        <TieTable graph={graph} />
      ) : (
        <div
          className={css.graph}
          style={{ height: rows * STEP }}
          role="img"
          aria-label={`Identity: ${sentenceOf(person)}`}
        >
          <Lines graph={graph} height={rows * STEP} />
          {graph.left.map((node, i) => (
            <NodeBox key={node.key} node={node} box={{ top: i * STEP, left: 0, width: LEFT }} />
          ))}
          {graph.right.map((node, i) => (
            <NodeBox key={node.key} node={node} box={{ top: i * STEP, left: rightOf(graph), width: RIGHT }} />
          ))}
        </div>
      )}
      {graph.hidden > 0 && <p className="muted">{`${plural(graph.hidden, 'more id')}.`}</p>}
      <div className={cx('muted', css.legend)}>
        {!asTable && <Legend />}
        <span className="spacer" />
        <Button size="sm" onClick={() => setAsTable((now) => !now)}>
          {asTable ? 'View as graph' : 'View as table'}
        </Button>
      </div>
      <Others person={person} />
    </section>
  );
}

const Legend = () => (
  <>
    <span className={css.solid} /> same person
    <span className={css.dashed} /> shared with another person
  </>
);

/** Where the right column begins: at the edge, when nothing stands left of it. */
const rightOf = ({ left }: Graph): number => (left.length === 0 ? 0 : LEFT + GAP);

const middle = (i: number): number => i * STEP + NODE / 2;

function Lines({ graph, height }: { graph: Graph; height: number }) {
  const { left, right, edges } = graph;
  const main = right.findIndex(({ kind }) => kind === 'main');
  return (
    <svg className={css.lines} width={LEFT + GAP + RIGHT} height={height} aria-hidden="true">
      {edges.map(({ from, to, isShared }) => (
        <path
          key={`${left[from]!.key} ${right[to]!.key}`}
          className={isShared ? css.dashedLine : css.solidLine}
          d={`M${LEFT} ${middle(from)} C${LEFT + GAP / 2} ${middle(from)} ${LEFT + GAP / 2} ${middle(to)} ${LEFT + GAP} ${middle(to)}`}
        />
      ))}
      {right.flatMap(({ kind, key }, i) =>
        kind === 'group' ? (
          <path
            key={key}
            className={css.solidLine}
            d={`M${rightOf(graph) + RIGHT / 2} ${(i - 1) * STEP + NODE} V${i * STEP}`}
            data-of={main}
          />
        ) : (
          []
        ),
      )}
    </svg>
  );
}

function NodeBox({
  node: { id, note, icon: Icon, kind },
  box,
}: {
  node: Node;
  box: { readonly top: number; readonly left: number; readonly width: number };
}) {
  return (
    <div className={cx(css.node, css[kind])} style={box} title={`${id}, ${note}`}>
      <Icon className="icon" aria-hidden="true" />
      <span className="mono ellipsis">
        <Text ltr max={100}>
          {id}
        </Text>
      </span>
      <span className="muted ellipsis">
        <Text max={100}>{note}</Text>
      </span>
    </div>
  );
}

const TieTable = ({ graph: { left, right, edges } }: { graph: Graph }) => (
  <table className={css.table}>
    <thead>
      <tr>
        <th scope="col">Id</th>
        <th scope="col">Belongs to</th>
      </tr>
    </thead>
    <tbody>
      {edges.map(({ from, to, isShared }) => (
        <tr key={`${left[from]!.key} ${right[to]!.key}`}>
          <td className="mono">
            <Text ltr max={100}>
              {left[from]!.id}
            </Text>
          </td>
          <td className="mono">
            <Text ltr max={100}>
              {right[to]!.id}
            </Text>
            {isShared && ' (another person)'}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** Ways to the people who share an id with this one. */
function Others({ person: { anonymousIds } }: { person: PersonView }) {
  const others = [...new Set(anonymousIds.flatMap(({ sharedWith }) => sharedWith))];
  if (others.length === 0) return null;
  return (
    <p className={css.others}>
      {others.slice(0, MOST).map((id) => (
        <a key={id} href={formatRoute({ screen: 'people', personId: id })} className="mono">
          <Text ltr max={100}>
            {id}
          </Text>
        </a>
      ))}
    </p>
  );
}
