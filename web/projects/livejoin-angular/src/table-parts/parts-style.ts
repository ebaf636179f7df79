/** Buttons and fields of all parts, so that they look as if made of one piece. */
export const PARTS_STYLE = `
  *, *::before, *::after { box-sizing: border-box; }
  button {
    display: inline-flex;
    flex: none;
    gap: 0.375rem;
    align-items: center;
    justify-content: center;
    padding: 0.3125rem;
    font: inherit;
    font-size: 0.8125rem;
    color: var(--lj-ink-soft, inherit);
    white-space: nowrap;
    cursor: pointer;
    background: none;
    border: 0;
    border-radius: 0.375rem;
  }
  button:hover:not([aria-disabled='true'], :disabled) {
    color: var(--lj-ink, inherit);
    background: color-mix(in srgb, currentcolor 10%, transparent);
  }
  button:is([aria-disabled='true'], :disabled) { cursor: default; opacity: 0.4; }
  button:is([aria-pressed='true'], [aria-expanded='true'], .lit) {
    color: var(--lj-accent, inherit);
    background: color-mix(in srgb, var(--lj-accent, currentcolor) 12%, transparent);
  }
  :focus-visible { outline: 2px solid var(--lj-accent, Highlight); outline-offset: 1px; }
  input:not([type='checkbox']), select {
    min-width: 0;
    padding: 0.25rem 0.5rem;
    font: inherit;
    font-size: 0.8125rem;
    color: inherit;
    background: var(--lj-surface-sunk, Field);
    border: 1px solid var(--lj-field-line, GrayText);
    border-radius: 0.375rem;
  }
  input::placeholder { color: var(--lj-ink-faint, GrayText); opacity: 1; }
  input[aria-invalid='true'] { border-color: var(--lj-danger, #b3261e); }
  @media (pointer: coarse), (width < 50rem) {
    button, input:not([type='checkbox']), select { min-width: 2rem; min-height: 2rem; }
  }
`;
