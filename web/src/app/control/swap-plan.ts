export interface SwapChoice {
  readonly usersTopic: string;
  readonly accountsTopic: string;
  readonly joinType: string;
}

export interface JoinKind {
  readonly name: string;
  readonly meaning: string;
}

export const JOINS: readonly JoinKind[] = [
  { name: 'left', meaning: 'Every user is shown; where there is no account, its columns are null.' },
  { name: 'inner', meaning: 'Only users that have an account are shown.' },
  { name: 'asof', meaning: 'Every account event is shown with the user as it was at that moment.' },
];

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
}

/** What a message would do, said before it is sent. */
export function swapPlan(choice: SwapChoice, { live, building, topics }: SwapScene): SwapPlan {
  const { usersTopic, accountsTopic, joinType } = choice;
  if (usersTopic === '' || accountsTopic === '') {
    return { text: 'Choose a topic for users and one for accounts.', canSend: false };
  }
  if (isSame(choice, building)) {
    return { text: 'This is being built: the tables change when it is ready.', canSend: false };
  }
  if (isSame(choice, live)) {
    return building === null
      ? { text: 'This is what is live now: nothing would change.', canSend: false }
      : { text: 'This is what is live now: the swap that is being built would be given up.', canSend: true };
  }
  const missing = [...new Set([usersTopic, accountsTopic])].filter(
    (topic) => topics?.includes(topic) === false,
  );
  if (missing.length > 0) {
    const names = missing.join(' and ');
    return {
      text: `There is no topic ${names}: the swap will be rejected, and nothing changes.`,
      canSend: true,
      isDoomed: true,
    };
  }
  return {
    text: `${usersTopic} and ${accountsTopic} are joined (${joinType}) beside what is live. The tables change all at once when that is ready, and you can roll back for a moment after.`,
    canSend: true,
  };
}

function isSame(one: SwapChoice, other: SwapChoice | null): boolean {
  return (
    one.usersTopic === other?.usersTopic &&
    one.accountsTopic === other.accountsTopic &&
    one.joinType === other.joinType
  );
}
