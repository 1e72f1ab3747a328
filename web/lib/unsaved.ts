import { useEffect } from 'react'
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
  useEffect(() => {
    if (!unsaved) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [unsaved])
  return useBlocker((ways) => unsaved && isLeaving(ways) && !PUBLIC_PAGES.has(ways.nextLocation.pathname))
}
