import { QueryClientProvider } from '@tanstack/react-query'
import { createPath } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { PUBLIC_PAGES } from '#contract/pages.ts'
import { createQueryClient } from '#web/app/query-client.ts'
import { router } from '#web/app/routes.tsx'
import { changeCustomer, forgetCustomer } from '#web/identity/session.ts'
import { StepUp } from '#web/identity/step-up.tsx'
import { onCustomerChanged, onSignInRequired } from '#web/lib/client.ts'
import { meQuery } from '#web/lib/me.ts'
import { signInFor } from '#web/lib/next.ts'
import { disownHistory } from '#web/lib/own-history.ts'
import { paths } from '#web/lib/paths.ts'
import { onTabs, tellTabs } from '#web/lib/tabs.ts'
import { Toaster } from '#web/ui/toaster.tsx'

const queries = createQueryClient()

/** Somebody else is here, or nobody: what is on the screen is not theirs, and neither is what led to it. */
function leaveFor(to: string): void {
  void router.navigate(to, { replace: true, state: null })
}

onSignInRequired(() => {
  const { location } = router.state
  if (PUBLIC_PAGES.has(location.pathname)) return
  changeCustomer(queries, null)
  leaveFor(signInFor(location))
})

// The session had ended, and a visit has brought it back or made somebody new of us: nothing of another customer may
// stay on the screen.
onCustomerChanged((me) => {
  if (queries.getQueryData(meQuery.queryKey)?.customer.email === me.customer.email) return
  disownHistory()
  tellTabs({ type: 'signed_in', email: me.customer.email })
  if (router.state.location.state !== null) leaveFor(createPath(router.state.location))
  void queries.resetQueries()
})

// Another tab of this browser has signed somebody in or out. The session is one for all of them.
onTabs((said) => {
  const { location } = router.state
  if (said.type === 'signed_in') {
    if (queries.getQueryData(meQuery.queryKey)?.customer.email === said.email) return
    forgetCustomer(queries, null)
    if (!PUBLIC_PAGES.has(location.pathname)) window.location.replace(paths.dashboard)
  } else {
    forgetCustomer(queries, null)
    if (!PUBLIC_PAGES.has(location.pathname)) leaveFor(paths.login)
  }
})

/** A new version was put in place while this page was open: its files have other names now. Load it, but only once. */
window.addEventListener('vite:preloadError', (event) => {
  const last = Number(sessionStorage.getItem('alder.reloaded') ?? 0)
  if (!navigator.onLine || performance.timeOrigin - last < 10_000) return
  event.preventDefault()
  sessionStorage.setItem('alder.reloaded', String(performance.timeOrigin + performance.now()))
  const target = router.state.navigation.location
  if (target) location.assign(createPath(target))
  else location.reload()
})

export function App() {
  return (
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
      <StepUp />
      <Toaster />
    </QueryClientProvider>
  )
}
