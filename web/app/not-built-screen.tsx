import type { MessageDescriptor } from '@lingui/core'
import { Trans, useLingui } from '@lingui/react/macro'
import { Sprout } from 'lucide-react'
import { paths } from '#web/lib/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Screen } from '#web/ui/screen.tsx'

/** Stands at an address of the spec until its screen is there. */
export function NotBuiltScreen({ title }: { title: MessageDescriptor }) {
  const { t } = useLingui()
  return (
    <Screen title={t(title)} back={paths.dashboard} className="justify-center">
      <Notice
        icon={Sprout}
        title={t`Coming soon`}
        action={
          <ButtonLink to={paths.dashboard}>
            <Trans>Go to Dashboard</Trans>
          </ButtonLink>
        }
      >
        <Trans>We're still building this part of Alder. Your balance, payments and transactions are ready now.</Trans>
      </Notice>
    </Screen>
  )
}
