/** The button that opens the control panel: it is always there, beside what comes and goes in the head of the page. */
export function focusControl(page: Document): void {
  page.querySelector<HTMLElement>('[data-testid=open-control]')?.focus();
}
