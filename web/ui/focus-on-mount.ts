/**
 * A `ref` callback that focuses a control when it is mounted. It is for the main control of something that the customer has
 * just opened. Forms use `startAt` (web/lib/form.ts) for their fields.
 */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus()
}
