type Router = {
  state: { location: { key: string; pathname: string }; historyAction: string; navigation: { state: string } }
}

/**
 * `router` is the router of this page, for code outside its component tree. It is null in the test of a single component.
 * `onPop` receives Back before the router does. It is null until web/lib/sheet-entries.ts has loaded.
 */
export const routing: { router: Router | null; onPop: ((event: PopStateEvent) => void) | null } = {
  router: null,
  onPop: null,
}

/**
 * Adds the listener that calls `onPop`. Must be called before the router is created, because a window calls its listeners in
 * the order in which they were added.
 */
export const listenBeforeRouter = (): void => window.addEventListener('popstate', (event) => routing.onPop?.(event))
