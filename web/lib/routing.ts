type Router = {
  state: { location: { key: string; pathname: string }; historyAction: string; navigation: { state: string } }
}

/**
 * The router of this page, for what stands outside of its tree, and who hears of Back before it does; null in a test of a
 * component alone.
 */
export const routing: { router: Router | null; onPop: ((event: PopStateEvent) => void) | null } = {
  router: null,
  onPop: null,
}

/** Called before the router is made: listeners of a window hear of an event in the order in which they came. */
export const listenFirst = (): void => window.addEventListener('popstate', (event) => routing.onPop?.(event))
