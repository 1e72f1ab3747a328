import { createBrowserRouter, type RouteObject } from 'react-router'
import { transactionIdIn, searchWithoutId } from '#web/accounts/shared/transaction-address.ts'
import { ErrorPage, ErrorScreen } from '#web/app/error-screen.tsx'
import { Layout } from '#web/app/layout.tsx'
import { paneGroups, screens } from '#web/app/screens.ts'
import { type ListWithDetailsProps, listWithDetails } from '#web/app/shell/list-with-details.ts'
import { loadScreen } from '#web/app/shell/load-screen.tsx'
import { loadTabs } from '#web/app/shell/tabs.ts'
import { Splash } from '#web/app/splash.tsx'
import { articleIdIn, withoutArticle } from '#web/help/shared/address.ts'
import { paths } from '#web/lib/paths.ts'
import { listenBeforeRouter, routing } from '#web/lib/routing.ts'

const screen = (path: keyof typeof screens): RouteObject => ({
  path,
  lazy: { Component: async () => (await Promise.all([loadScreen(screens[path]), loadTabs(path)]))[0] },
})

/** Returns the routes of a list whose details open beside it on a wide screen. */
function group(
  home: keyof typeof paneGroups,
  props: Pick<ListWithDetailsProps, 'beside' | 'chosenIn' | 'closedFrom'>,
): RouteObject {
  const opens = paneGroups[home]
  return listWithDetails({ home, list: screens[home], opens, children: opens.map(screen), ...props })
}

const groups = [
  group(paths.transactions, {
    beside: async () => (await import('#web/app/shell/no-transaction-selected.tsx')).NoTransactionSelected,
    chosenIn: transactionIdIn,
    closedFrom: ({ search }) => paths.transactions + searchWithoutId(search),
  }),
  // On a wide screen, the settings have their first section open, like the settings of a device.
  group(paths.settings, {
    beside: screens[paths.personalInfo],
    chosenIn: ({ pathname }) => (pathname === paths.settings ? paths.personalInfo : pathname),
    closedFrom: null,
  }),
  group(paths.notifications, {
    beside: screens[paths.notificationPreferences],
    chosenIn: ({ pathname }) => pathname,
    closedFrom: null,
  }),
  group(paths.helpCenter, {
    beside: async () => (await import('#web/help/no-article-selected.tsx')).NoArticleSelected,
    chosenIn: ({ search }) => articleIdIn(search),
    closedFrom: ({ search }) => paths.helpCenter + withoutArticle(search),
  }),
  group(paths.securityPrivacy, { chosenIn: ({ pathname }) => pathname, closedFrom: () => paths.securityPrivacy }),
]

const inGroups = new Set<string>(Object.entries(paneGroups).flatMap(([home, opens]) => [home, ...opens]))
const otherScreens = Object.keys(screens).filter((path): path is keyof typeof screens => !inGroups.has(path))

listenBeforeRouter()
export const router = createBrowserRouter([
  {
    Component: Layout,
    ErrorBoundary: ErrorPage,
    HydrateFallback: Splash,
    children: [{ ErrorBoundary: ErrorScreen, children: [...groups, ...otherScreens.map(screen)] }],
  },
])
routing.router = router
