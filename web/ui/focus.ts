/**
 * A `ref` for the one field that something is about, which comes because a person has just asked for it: the field has
 * the focus as it comes.
 */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus()
}
