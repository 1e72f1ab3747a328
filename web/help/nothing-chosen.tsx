import { Trans, useLingui } from '@lingui/react/macro'
import { LifeBuoy } from 'lucide-react'
import { Notice } from '#web/ui/notice.tsx'

/** Beside the help center while no article is open. */
export function NothingChosen() {
  const { t } = useLingui()
  return (
    <section aria-label={t`Help Center`} className="flex flex-1 flex-col justify-center">
      <Notice icon={LifeBuoy} title={t`No article selected`}>
        <Trans>Choose an article from the list, or search for one.</Trans>
      </Notice>
    </section>
  )
}
