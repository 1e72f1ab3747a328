import { Trans, useLingui } from '@lingui/react/macro'
import { LifeBuoy } from 'lucide-react'
import { EmptyState } from '#web/ui/empty-state.tsx'

/** Shown beside the help center while no article is open. */
export function NoArticleSelected() {
  const { t } = useLingui()
  return (
    <section aria-label={t`Help Center`} className="flex flex-1 flex-col justify-center">
      <EmptyState icon={LifeBuoy} title={t`No article selected`}>
        <Trans>Choose an article from the list, or search for one.</Trans>
      </EmptyState>
    </section>
  )
}
