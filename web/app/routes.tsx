import { createBrowserRouter, type RouteObject } from 'react-router'
import { chosenId, searchWithoutId } from '#web/accounts/shared/chosen.ts'
import { ErrorPage, ErrorScreen } from '#web/app/error-screen.tsx'
import { Layout } from '#web/app/layout.tsx'
import { paneGroups, screens } from '#web/app/screens.ts'
import { type GroupProps, listWithDetails } from '#web/app/shell/groups.ts'
import { loadScreen } from '#web/app/shell/load-screen.tsx'
import { loadTabs } from '#web/app/shell/tabs.ts'
import { Splash } from '#web/app/splash.tsx'
import { articleIdIn, withoutArticle } from '#web/help/shared/address.ts'
import { paths } from '#web/lib/paths.ts'
import { listenFirst, routing } from '#web/lib/routing.ts'

const screen = (path: keyof typeof screens): RouteObject => ({
  path,
  lazy: { Component: async () => (await Promise.all([loadScreen(screens[path]), loadTabs(path)]))[0] },
})

/** A list that has something open beside it where there is room. */
function group(
  home: keyof typeof paneGroups,
  props: Pick<GroupProps, 'beside' | 'chosenIn' | 'closedFrom'>,
): RouteObject {
  const opens = paneGroups[home]
  return listWithDetails({ home, list: screens[home], opens, children: opens.map(screen), ...props })
}

const groups = [
  group(paths.transactions, {
    beside: async () => (await import('#web/app/shell/nothing-chosen.tsx')).NothingChosen,
    chosenIn: chosenId,
    closedFrom: ({ search }) => paths.transactions + searchWithoutId(search),
  }),
  // Settings have their first section open, as those of a device do.
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
    beside: async () => (await import('#web/help/nothing-chosen.tsx')).NothingChosen,
    chosenIn: ({ search }) => articleIdIn(search),
    closedFrom: ({ search }) => paths.helpCenter + withoutArticle(search),
  }),
  group(paths.securityPrivacy, { chosenIn: ({ pathname }) => pathname, closedFrom: () => paths.securityPrivacy }),
]

const inGroups = new Set<string>(Object.entries(paneGroups).flatMap(([home, opens]) => [home, ...opens]))
const others = Object.keys(screens).filter((path): path is keyof typeof screens => !inGroups.has(path))

listenFirst()
export const router = createBrowserRouter([
  {
    Component: Layout,
    ErrorBoundary: ErrorPage,
    HydrateFallback: Splash,
    children: [{ ErrorBoundary: ErrorScreen, children: [...groups, ...others.map(screen)] }],
  },
])
routing.router = router
