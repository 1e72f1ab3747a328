import { Trans, useLingui } from '@lingui/react/macro'
import { Leaf } from 'lucide-react'
import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { errorText } from '#web/i18n/error-text.ts'
import { paths } from '#web/lib/paths.ts'
import { Poster } from '#web/ui/art/poster.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

export function NotFoundScreen() {
  const { t } = useLingui()
  const { pathname } = useLocation()
  useEffect(() => {
    // The specification requires the missing path on the console.
    // oxlint-disable-next-line no-console
    console.warn('No screen has this path:', pathname)
  }, [pathname])
  return (
    <main className="grid flex-1 animate-screen-in place-items-center">
      <title>{`${t`Page not found`} · Alder`}</title>
      <EmptyState
        icon={Leaf}
        picture={<Poster of="lost" />}
        heading="h1"
        title={errorText('page_not_found')}
        action={
          <ButtonLink to={paths.home}>
            <Trans>Return to Home</Trans>
          </ButtonLink>
        }
      >
        <Trans>The page may have moved, or the address may be misspelled.</Trans>
      </EmptyState>
    </main>
  )
}
