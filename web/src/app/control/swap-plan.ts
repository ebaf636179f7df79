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

/** What a message would do, said before it is sent. `topics` is null while it is not known which ones exist. */
export function swapPlan(
  choice: SwapChoice,
  live: SwapChoice | null,
  topics: readonly string[] | null,
): SwapPlan {
  const { usersTopic, accountsTopic, joinType } = choice;
  if (usersTopic === '' || accountsTopic === '') {
    return { text: 'Choose a topic for users and one for accounts.', canSend: false };
  }
  const isSame =
    live?.usersTopic === usersTopic && live.accountsTopic === accountsTopic && live.joinType === joinType;
  if (isSame) return { text: 'This is what is live now: nothing would change.', canSend: false };
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
