import { describe, expect, it } from 'vitest';
import type { ControlEntry } from '../../../src/app/control/control-entry';
import { noticeOf, type NoticeScene } from '../../../src/app/status/notice';

const REJECTED: ControlEntry = {
  left: 'usrs',
  right: 'accounts',
  joinType: 'left',
  isRollback: false,
  raw: '{}',
  id: null,
  verdict: 'rejected',
  reason: 'the broker has no topic',
  when: 1_000,
  by: '',
};
const CALM: NoticeScene = {
  lost: null,
  isStale: false,
  hasRows: true,
  trouble: '',
  waitingFor: null,
  swap: null,
  newestMessage: null,
  isRead: () => false,
};
const SWAP = {
  kind: 'building',
  title: 'Swapping',
  detail: '',
  fraction: null,
  until: null,
  readAs: null,
} as const;
const FAILED = { ...SWAP, kind: 'failed', title: 'The swap failed', readAs: 'failed 7' } as const;

describe('what is told beside the badge', () => {
  it('is nothing while all is well', () => {
    expect(noticeOf(CALM, 0)).toBeNull();
  });

  it('is what keeps rows from being fresh before anything else', () => {
    const trouble = 'the pipeline has not been heard of';
    const scene = { ...CALM, trouble, swap: SWAP, newestMessage: REJECTED };
    expect(noticeOf(scene, 2_000)).toMatchObject({
      kind: 'trouble',
      title: 'The pipeline has not been heard of.',
    });
    expect(noticeOf({ ...scene, lost: 'gone' }, 2_000)).toMatchObject({ title: 'gone.' });
    expect(noticeOf({ ...CALM, isStale: true }, 0)?.detail).toBe('The last rows stay until they are there.');
    expect(noticeOf({ ...CALM, lost: 'gone', hasRows: false }, 0)?.detail).not.toContain('rows');
  });

  it('is a rejection for two minutes, until it is read, and not where a newer message was obeyed', () => {
    const scene = { ...CALM, newestMessage: REJECTED };
    expect(noticeOf(scene, 2_000)).toMatchObject({ kind: 'rejected', detail: 'The broker has no topic.' });
    expect(noticeOf(scene, 200_000)).toBeNull();
    expect(noticeOf({ ...scene, isRead: () => true }, 2_000)).toBeNull();
    expect(noticeOf({ ...CALM, newestMessage: { ...REJECTED, verdict: 'applied' } }, 2_000)).toBeNull();
  });

  it('is a failed swap until somebody puts it away; a swap under way cannot be put away', () => {
    expect(noticeOf({ ...CALM, swap: FAILED }, 0)?.kind).toBe('failed');
    expect(noticeOf({ ...CALM, swap: FAILED, isRead: (key) => key === 'failed 7' }, 0)).toBeNull();
    expect(noticeOf({ ...CALM, swap: SWAP, isRead: () => true }, 0)?.kind).toBe('building');
  });

  it('says what is waited for while nothing is live', () => {
    expect(noticeOf({ ...CALM, hasRows: false, waitingFor: 'no generation is live yet' }, 0)).toMatchObject({
      title: 'No topics are live yet',
      detail: 'No generation is live yet.',
    });
  });
});
