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
import { finishDeferredSignOut } from '#web/lib/deferred-sign-out.ts'
import { forgetCustomer, isLeaving, handleSignedOut } from '#web/identity/session/session.ts'
import { StepUpPrompt } from '#web/identity/step-up/step-up.tsx'
import { onCustomerChanged, onSignInRequired, onVisitRefused } from '#web/lib/api.ts'
import { clearOfflineCache } from '#web/lib/offline-cache.ts'
import { onConnectionChange } from '#web/lib/connection.ts'
import { meQuery } from '#web/lib/me.ts'
import { signInPathFor } from '#web/lib/sign-in-redirect.ts'
import { forgetOwnEntries } from '#web/lib/history-entries.ts'
import { paths } from '#web/lib/paths.ts'
import { onTabMessage, type SignOutReason, postToTabs } from '#web/lib/browser-tabs.ts'

/** Handles the end of the session. Signing in again returns to the same screen, unless the customer signed out. */
function leave(reason: SignOutReason): void {
  const { location } = router.state
  if (PUBLIC_PAGES.has(location.pathname)) return
  void router.navigate(reason === 'left' ? paths.login : signInPathFor(location), { replace: true, state: { reason } })
}

onSignInRequired(() => {
  // The request was sent before the sign-out, and its response arrived later.
  if (isLeaving()) return
  leave('ended')
  handleSignedOut(queries, 'ended')
})

// The sample bank accepts no new customers. Existing ones may still sign in.
onVisitRefused((message) => {
  const { location } = router.state
  if (PUBLIC_PAGES.has(location.pathname)) return
  toast.error(message, { id: 'visit-refused' })
  void router.navigate(signInPathFor(location), { replace: true })
})

// The session had ended, and a visit has restored it or created a new customer. No data of another customer may stay on the
// screen.
onCustomerChanged((me) => {
  if (queries.getQueryData(meQuery.queryKey)?.customer.email === me.customer.email) return
  forgetOwnEntries()
  clearOfflineCache()
  postToTabs({ type: 'signed_in', email: me.customer.email })
  const { location } = router.state
  // The location state may come from another customer.
  if (location.state !== null) void router.navigate(createPath(location), { replace: true, state: null })
  void queries.resetQueries()
})

// Another tab of this browser has signed in or out. All tabs share one session.
onTabMessage((message) => {
  if (message.type === 'signed_out') leave(message.reason)
  else if (queries.getQueryData(meQuery.queryKey)?.customer.email === message.email) return
  else if (!PUBLIC_PAGES.has(router.state.location.pathname)) window.location.replace(paths.dashboard)
  forgetCustomer(queries, null)
})

onConnectionChange((isUp) => {
  if (isUp) void finishDeferredSignOut()
})

export function App() {
  return (
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
        <StepUpPrompt />
        <Toasts />
      </QueryClientProvider>
    </I18nProvider>
  )
}
