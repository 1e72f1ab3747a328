import { useDeferredValue, useEffect } from 'react'
import { type BlockerFunction, useBlocker } from 'react-router'
import { PUBLIC_PAGES } from '#contract/pages.ts'

type Ways = Parameters<BlockerFunction>[0]

/**
 * Blocks leaving a screen with `unsaved` edits until the customer confirms. Closing the page is blocked too, and the browser
 * itself asks for that confirmation. Sign-out and the end of a session are not blocked.
 */
export function useUnsavedBlocker(
  unsaved: boolean,
  isLeaving: (ways: Ways) => boolean = ({ currentLocation, nextLocation }) =>
    nextLocation.pathname !== currentLocation.pathname,
) {
  const blocker = useBlocker((ways) => unsaved && isLeaving(ways) && !PUBLIC_PAGES.has(ways.nextLocation.pathname))
  // The router registers a blocker in the second render. This deferred value does not become true before that render, so the
  // page never asks before the router does.
  const isRegistered = useDeferredValue(true, false)
  useEffect(() => {
    if (!unsaved || !isRegistered) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [unsaved, isRegistered])
  return blocker
}
