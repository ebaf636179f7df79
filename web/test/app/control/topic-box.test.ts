// @vitest-environment happy-dom
import { FakeApplication } from '../../../projects/livejoin-angular/test/angular';
import { TestBed, type ComponentFixture } from '@angular/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TopicBox } from '../../../src/app/control/topic-box';

describe('a box for a topic', () => {
  let application: FakeApplication;
  let fixture: ComponentFixture<TopicBox>;
  let box: HTMLInputElement;
  const typed: string[] = [];

  beforeEach(async () => {
    application = new FakeApplication();
    fixture = TestBed.createComponent(TopicBox);
    const given = { boxId: 'b', testId: 't', label: 'Users topic', value: 'users' };
    for (const [name, value] of Object.entries(given)) fixture.componentRef.setInput(name, value);
    fixture.componentRef.setInput('topics', ['accounts', 'users', 'users-v2']);
    typed.length = 0;
    fixture.componentInstance.typed.subscribe((text) => typed.push(text));
    await fixture.whenStable();
    const found = (fixture.nativeElement as HTMLElement).querySelector('input');
    if (found === null) throw new Error('there is no box');
    box = found;
  });

  afterEach(() => {
    application.destroy();
  });

  async function press(key: string): Promise<Event> {
    const event = new KeyboardEvent('keydown', { key, cancelable: true });
    box.dispatchEvent(event);
    await fixture.whenStable();
    return event;
  }

  async function type(text: string): Promise<void> {
    box.value = text;
    box.dispatchEvent(new Event('input'));
    await fixture.whenStable();
  }

  function offered(): string[] {
    const options = (fixture.nativeElement as HTMLElement).querySelectorAll('[role=option]');
    return [...options].map(({ textContent }) => textContent.trim());
  }

  it('offers every topic when it is clicked, and those that fit while somebody types', async () => {
    expect(offered()).toEqual([]);
    box.click();
    await fixture.whenStable();
    expect(offered()).toEqual(['accounts', 'users', 'users-v2']);
    await type('USERS');
    expect(offered()).toEqual(['users', 'users-v2']);
    await type('acounts');
    expect(offered()).toEqual(['Did you mean accounts?']);
    await type('nothing of the kind');
    expect([offered(), box.getAttribute('aria-expanded')]).toEqual([[], 'false']);
  });

  it('is filled by arrows and Enter, which sends nothing then', async () => {
    await press('ArrowDown');
    expect(box.getAttribute('aria-activedescendant')).toBe('b-0');
    await press('ArrowUp');
    expect(box.getAttribute('aria-activedescendant')).toBe('b-2');
    expect((await press('Enter')).defaultPrevented).toBe(true);
    expect([box.value, typed, offered()]).toEqual(['users-v2', ['users-v2'], []]);
    expect((await press('Enter')).defaultPrevented).toBe(false);
  });

  it('closes its list by Escape before anything around it closes', async () => {
    box.click();
    await fixture.whenStable();
    expect((await press('Escape')).defaultPrevented).toBe(true);
    expect(offered()).toEqual([]);
    expect((await press('Escape')).defaultPrevented).toBe(false);
  });

  it('stands for what is live again where it is left empty', async () => {
    await type('');
    box.dispatchEvent(new Event('blur'));
    expect(box.value).toBe('users');
  });
});
