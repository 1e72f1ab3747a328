import { QueryClientProvider } from '@tanstack/react-query'
import { createPath } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { createQueryClient } from '#web/app/query-client.ts'
import { router } from '#web/app/routes.tsx'
import { onCustomerChanged, onSignInRequired } from '#web/lib/client.ts'
import { paths } from '#web/lib/paths.ts'
import { Toaster } from '#web/ui/toaster.tsx'

const queries = createQueryClient()

onSignInRequired(() => {
  const { pathname, search } = router.state.location
  if (pathname === paths.login) return
  void router.navigate(`${paths.login}?next=${encodeURIComponent(pathname + search)}`, { replace: true })
})

// Nothing of another customer may stay on the screen.
onCustomerChanged(() => void queries.resetQueries())

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
      <Toaster />
    </QueryClientProvider>
  )
}
