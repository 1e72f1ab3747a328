import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import {
  BadgeCheck,
  Bell,
  Check,
  FileCheck2,
  Hourglass,
  type LucideIcon,
  MessageSquareWarning,
  ShieldX,
  UserRoundCheck,
} from 'lucide-react'
import type { ReviewReason } from '#contract/review-reasons.ts'
import type { Kyc } from '#contract/kyc.ts'
import { CaseReason } from '#web/kyc/case-reason.tsx'
import { paths } from '#web/lib/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Row } from '#web/ui/row.tsx'
import { Card } from '#web/ui/screen.tsx'

const toDashboard = (
  <ButtonLink to={paths.dashboard}>
    <Trans>Go to Home</Trans>
  </ButtonLink>
)

/** Shown when the customer has nothing to do: verification is pending, done or refused. */
export function StatusView({ kyc }: { kyc: Kyc }) {
  const { t } = useLingui()
  if (kyc.status === 'submitted') return <Submitted />
  if (kyc.status === 'rejected') return <Rejected reason={kyc.reason} />
  return (
    <EmptyState done icon={BadgeCheck} title={t`You're verified`} action={toDashboard}>
      <Trans>You're all set.</Trans>
    </EmptyState>
  )
}

type NextStep = { icon: LucideIcon; title: MessageDescriptor; description: MessageDescriptor; done?: boolean }

/** The steps after the documents are submitted. */
const NEXT_STEPS: readonly NextStep[] = [
  {
    icon: FileCheck2,
    title: msg`Documents received`,
    description: msg`We have all three, safely encrypted`,
    done: true,
  },
  {
    icon: UserRoundCheck,
    title: msg`Someone reviews them`,
    description: msg`A person at Alder compares them with your details`,
  },
  {
    icon: Bell,
    title: msg`We let you know`,
    description: msg`By notification and email. No need to wait here`,
  },
]

function Submitted() {
  const { t } = useLingui()
  return (
    <>
      <EmptyState icon={Hourglass} title={t`We're checking your documents`} action={toDashboard}>
        <Trans>You can use Alder in the meantime. Your daily limit is lower until you're verified.</Trans>
      </EmptyState>
      <Card>
        <ol className="divide-y divide-line">
          {NEXT_STEPS.map(({ icon, title, description, done }) => (
            <li key={title.id}>
              <Row icon={icon} title={t(title)} description={t(description)} trailing={done && <DoneMark />} />
            </li>
          ))}
        </ol>
      </Card>
    </>
  )
}

function DoneMark() {
  const { t } = useLingui()
  return (
    <Check
      aria-label={t({ message: 'Done', context: 'a step that is over' })}
      className="size-5 text-success"
      strokeWidth={2.4}
    />
  )
}

function Rejected({ reason }: { reason: ReviewReason | null }) {
  const { t } = useLingui()
  return (
    <>
      <EmptyState icon={ShieldX} title={t`We couldn't verify your identity`}>
        <Trans>Your money is safe, and you can still use it. Your daily limit stays lower.</Trans>
      </EmptyState>
      {reason && <CaseReason icon={MessageSquareWarning} title={t`Message from our reviewer`} reason={reason} />}
      <div className="grid gap-2.5">
        <ButtonLink to={paths.helpCenter}>
          <Trans>Get Help</Trans>
        </ButtonLink>
        <ButtonLink variant="secondary" to={paths.dashboard}>
          <Trans>Go to Home</Trans>
        </ButtonLink>
      </div>
    </>
  )
}
