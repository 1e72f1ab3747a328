import { Trans, useLingui } from '@lingui/react/macro'
import { RefreshCw, TriangleAlert } from 'lucide-react'
import { useEffect } from 'react'
import { useRouteError } from 'react-router'
import { errorText } from '#web/i18n/error-text.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

/** The page that is shown if the app fails to start. */
export function ErrorPage() {
  return (
    <div className="mx-auto flex min-h-dvh max-w-[26.875rem] flex-col">
      <ErrorScreen />
    </div>
  )
}

/** The screen that is shown if a screen fails to render. Reloading the page is the surest solution. */
export function ErrorScreen() {
  const { t } = useLingui()
  const error = useRouteError()
  useEffect(() => {
    // Logged for debugging, because the screen shows no details.
    // oxlint-disable-next-line no-console
    console.error(error)
  }, [error])
  return (
    <main className="grid flex-1 place-items-center">
      <title>{`${t`Something went wrong`} · Alder`}</title>
      <EmptyState
        icon={TriangleAlert}
        heading="h1"
        title={errorText('unexpected')}
        action={
          <>
            <Button icon={<RefreshCw aria-hidden className="size-5" />} onClick={() => location.reload()}>
              <Trans>Try Again</Trans>
            </Button>
            <Button variant="secondary" onClick={() => location.assign(paths.dashboard)}>
              <Trans>Go to Home</Trans>
            </Button>
          </>
        }
      >
        <Trans>We couldn't show this screen. Your money is safe.</Trans>
      </EmptyState>
    </main>
  )
}
