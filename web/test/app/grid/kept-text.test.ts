import { describe, expect, it } from 'vitest';
import { keptText } from '../../../src/app/grid/kept-text';

const SOURCE = { name: 'users', table: 'users_ui', topicField: 'usersTopic' };

describe('what a table keeps', () => {
  it('is every event of a log, and the newest of each key otherwise', () => {
    expect(keptText({ ...SOURCE, keep: 'all' })?.text).toBe('every event');
    expect(keptText({ ...SOURCE, keep: 'latest' })?.text).toBe('newest per key');
  });

  it('is nothing to say of the joined table', () => {
    expect(keptText(null)).toBeNull();
  });
});
