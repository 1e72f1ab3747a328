import { type RefCallback, type RefObject, useCallback, useRef } from 'react'

/**
 * A `ref` for the one field that something is about, which comes because a person has just asked for it: the field has
 * the focus as it comes.
 */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus()
}

/** The same for a field that is reached for later, too: by `field`. */
export function useFocusOnMount<Element extends HTMLElement>(): {
  ref: RefCallback<Element>
  field: RefObject<Element | null>
} {
  const field = useRef<Element>(null)
  const ref = useCallback((element: Element | null) => {
    field.current = element
    focusOnMount(element)
  }, [])
  return { ref, field }
}
