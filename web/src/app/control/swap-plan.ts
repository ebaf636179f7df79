import type { Declaration } from 'livejoin-angular';
import { spoken } from '../declaration/words';
import { nearestName } from './nearest-name';

/** A topic for each side, and how they are joined. */
export interface SwapChoice {
  readonly left: string;
  readonly right: string;
  readonly joinType: string;
}

/** A choice in the words of the server. */
export function messageOf(
  choice: SwapChoice,
  { left, right }: Declaration,
): Readonly<Record<string, string>> {
  return Object.fromEntries([
    [left.topicField, choice.left],
    [right.topicField, choice.right],
    ['joinType', choice.joinType],
  ]);
}

export interface SwapPlan {
  readonly text: string;
  readonly canSend: boolean;
  /** It can be sent, and will come to nothing. */
  readonly isDoomed?: boolean;
}

/** What a message is compared with; `topics` is null while it is not known which ones exist. */
export interface SwapScene {
  readonly live: SwapChoice | null;
  readonly building: SwapChoice | null;
  readonly topics: readonly string[] | null;
  readonly declaration: Pick<Declaration, 'left' | 'right'>;
}

/** What a message would do, said before it is sent. */
export function swapPlan(choice: SwapChoice, { live, building, topics, declaration }: SwapScene): SwapPlan {
  const { left, right, joinType } = choice;
  if (left === '' || right === '') {
    const [one, other] = [spoken(declaration.left.name), spoken(declaration.right.name)];
    return { text: `Choose a topic for ${one} and one for ${other}.`, canSend: false };
  }
  if (isSame(choice, building)) {
    return { text: 'This is being built: the tables change when it is ready.', canSend: false };
  }
  if (isSame(choice, live)) {
    return building === null
      ? { text: 'This is what is live now: nothing would change.', canSend: false }
      : { text: 'This is what is live now: the swap that is being built would be given up.', canSend: true };
  }
  const missing = [...new Set([left, right])].filter((topic) => topics?.includes(topic) === false);
  if (missing.length > 0) {
    const names = missing.join(' and ');
    const meant = [...new Set(missing.flatMap((topic) => nearestName(topic, topics ?? []) ?? []))];
    const hint = meant.length === 0 ? '' : ` Did you mean ${meant.join(' and ')}?`;
    return {
      text: `There is no topic ${names}: the swap will be rejected, and nothing changes.${hint}`,
      canSend: true,
      isDoomed: true,
    };
  }
  return {
    text: `${left} and ${right} are joined (${joinType}) beside what is live. The tables change all at once when that is ready, and you can roll back while the old ones are kept (swap.linger_seconds).`,
    canSend: true,
  };
}

function isSame(one: SwapChoice, other: SwapChoice | null): boolean {
  return one.left === other?.left && one.right === other.right && one.joinType === other.joinType;
}
