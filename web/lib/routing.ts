type Router = {
  state: { location: { key: string; pathname: string }; historyAction: string; navigation: { state: string } }
}

/**
 * The router of this page, for code outside its component tree, and the listener that receives Back before the router does.
 * Null in the test of a single component.
 */
export const routing: { router: Router | null; onPop: ((event: PopStateEvent) => void) | null } = {
  router: null,
  onPop: null,
}

/** Adds a listener before the router is created. A window calls its listeners in the order in which they were added. */
export const listenBeforeRouter = (): void => window.addEventListener('popstate', (event) => routing.onPop?.(event))
