import { useDeferredValue, useEffect } from 'react'
import { type BlockerFunction, useBlocker } from 'react-router'
import { PUBLIC_PAGES } from '#contract/pages.ts'

type Ways = Parameters<BlockerFunction>[0]

/**
 * Keeps a screen with `unsaved` edits from being left before somebody has been asked, as the browser does where the page itself
 * is closed. Who signs out, or whose session ends, is not kept from it.
 */
export function useUnsavedBlocker(
  unsaved: boolean,
  isLeaving: (ways: Ways) => boolean = ({ currentLocation, nextLocation }) =>
    nextLocation.pathname !== currentLocation.pathname,
) {
  const blocker = useBlocker((ways) => unsaved && isLeaving(ways) && !PUBLIC_PAGES.has(ways.nextLocation.pathname))
  // The router registers a blocker in the render after the first, and a deferred value is true no earlier. So the page never asks
  // before the router does.
  const isRegistered = useDeferredValue(true, false)
  useEffect(() => {
    if (!unsaved || !isRegistered) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [unsaved, isRegistered])
  return blocker
}
