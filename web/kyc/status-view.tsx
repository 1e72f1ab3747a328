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
import type { ReactNode } from 'react'
import type { Kyc } from '#contract/kyc.ts'
import { Reason } from '#web/kyc/reason.tsx'
import { paths } from '#web/lib/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Row } from '#web/ui/row.tsx'
import { Card } from '#web/ui/screen.tsx'

const toDashboard = <ButtonLink to={paths.dashboard}>Go to the dashboard</ButtonLink>

/** Where there is nothing for the customer to do: verification is waited for, done, or was refused. */
export function StatusView({ kyc }: { kyc: Kyc }) {
  if (kyc.status === 'submitted') return <Submitted />
  if (kyc.status === 'rejected') return <Rejected reason={kyc.reason} />
  return (
    <Notice icon={BadgeCheck} title="You're verified" action={toDashboard}>
      We know that you are you. Nothing else is needed.
    </Notice>
  )
}

const NEXT: readonly { icon: LucideIcon; title: string; description: string; trailing?: ReactNode }[] = [
  {
    icon: FileCheck2,
    title: 'Documents received',
    description: 'All three are here, encrypted.',
    trailing: <Check aria-label="Done" className="size-5 text-success" strokeWidth={2.4} />,
  },
  {
    icon: UserRoundCheck,
    title: 'A person looks at them',
    description: 'Somebody at Alder compares them with what you told us.',
  },
  {
    icon: Bell,
    title: 'We tell you',
    description: 'By a notification and by mail. There is no need to wait here.',
  },
]

function Submitted() {
  return (
    <>
      <Notice icon={Hourglass} title="We're checking your documents" action={toDashboard}>
        You can use Alder in the meantime. Until you are verified, you can move less money in a day.
      </Notice>
      <Card>
        <ol className="divide-y divide-line">
          {NEXT.map((row) => (
            <li key={row.title}>
              <Row {...row} />
            </li>
          ))}
        </ol>
      </Card>
    </>
  )
}

function Rejected({ reason }: { reason: string | null }) {
  return (
    <>
      <Notice icon={ShieldX} title="We couldn't verify you">
        Your money is safe and you can still reach it. You can move less of it in a day.
      </Notice>
      {reason && <Reason icon={MessageSquareWarning} title="What the reviewer wrote" reason={reason} />}
      <div className="grid gap-2.5">
        <ButtonLink to={paths.helpCenter}>Get help</ButtonLink>
        <ButtonLink variant="secondary" to={paths.dashboard}>
          Go to the dashboard
        </ButtonLink>
      </div>
    </>
  )
}
