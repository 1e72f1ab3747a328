import { Trans, useLingui } from '@lingui/react/macro'
import type { LucideIcon } from 'lucide-react'
import { paths } from '#web/lib/paths.ts'
import { Poster } from '#web/ui/art/poster.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'

/** What stands in place of transactions where there are none. */
export function NothingYet({ icon }: { icon: LucideIcon }) {
  const { t } = useLingui()
  return (
    <Notice
      icon={icon}
      picture={<Poster of="instant" />}
      title={t`Nothing here yet`}
      action={
        <ButtonLink to={paths.addMoney}>
          <Trans>Add Money</Trans>
        </ButtonLink>
      }
    >
      <Trans comment="Everything that moves: every payment">Add money, and your transactions will appear here.</Trans>
    </Notice>
  )
}
