/**
 * A `ref` for the one control that something is about, which comes because a person has just asked for it: it has the
 * focus as it comes. The fields of a form have `startAt` (web/lib/form.ts).
 */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus()
}
