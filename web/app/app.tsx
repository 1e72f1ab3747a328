import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { QueryClientProvider } from '@tanstack/react-query'
import { createPath } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { PUBLIC_PAGES } from '#contract/pages.ts'
import { queries } from '#web/app/query-client.ts'
import { toast } from '#web/lib/toast.ts'
import { Toasts } from '#web/app/toasts.tsx'
import { router } from '#web/app/routes.tsx'
import { finishSignOut } from '#web/lib/late-sign-out.ts'
import { forgetCustomer, isLeaving, signedOut } from '#web/identity/session/session.ts'
import { StepUp } from '#web/identity/step-up/step-up.tsx'
import { onCustomerChanged, onSignInRequired, onVisitRefused } from '#web/lib/api.ts'
import { dropKept } from '#web/lib/kept.ts'
import { onLineChange } from '#web/lib/line.ts'
import { meQuery } from '#web/lib/me.ts'
import { signInPathFor } from '#web/lib/sign-in-redirect.ts'
import { forgetOwnEntries } from '#web/lib/history-entries.ts'
import { paths } from '#web/lib/paths.ts'
import { onTabMessage, type SignOutReason, postToTabs } from '#web/lib/tabs.ts'

/** The session has ended: signing in again leads back to the same screen, unless they have left it. */
function leave(reason: SignOutReason): void {
  const { location } = router.state
  if (PUBLIC_PAGES.has(location.pathname)) return
  void router.navigate(reason === 'left' ? paths.login : signInPathFor(location), { replace: true, state: { reason } })
}

onSignInRequired(() => {
  // What was still being asked when the customer signed out.
  if (isLeaving()) return
  leave('ended')
  signedOut(queries, 'ended')
})

// A sample bank with no room for new customers: existing ones may still sign in.
onVisitRefused((message) => {
  const { location } = router.state
  if (PUBLIC_PAGES.has(location.pathname)) return
  toast.error(message, { id: 'visit-refused' })
  void router.navigate(signInPathFor(location), { replace: true })
})

// The session had ended, and a visit has brought it back or made somebody new of us: nothing of another customer may
// stay on the screen.
onCustomerChanged((me) => {
  if (queries.getQueryData(meQuery.queryKey)?.customer.email === me.customer.email) return
  forgetOwnEntries()
  dropKept()
  postToTabs({ type: 'signed_in', email: me.customer.email })
  const { location } = router.state
  // What another screen handed to this one was somebody else's.
  if (location.state !== null) void router.navigate(createPath(location), { replace: true, state: null })
  void queries.resetQueries()
})

// Another tab of this browser has signed somebody in or out. The session is one for all of them.
onTabMessage((message) => {
  if (message.type === 'signed_out') leave(message.reason)
  else if (queries.getQueryData(meQuery.queryKey)?.customer.email === message.email) return
  else if (!PUBLIC_PAGES.has(router.state.location.pathname)) window.location.replace(paths.dashboard)
  forgetCustomer(queries, null)
})

onLineChange((isUp) => {
  if (isUp) void finishSignOut()
})

export function App() {
  return (
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
        <StepUp />
        <Toasts />
      </QueryClientProvider>
    </I18nProvider>
  )
}
