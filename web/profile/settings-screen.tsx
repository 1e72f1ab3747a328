import { useQuery } from '@tanstack/react-query'
import {
  BadgeCheck,
  Bell,
  ClipboardCheck,
  CreditCard,
  Globe,
  LifeBuoy,
  LogOut,
  Moon,
  ShieldCheck,
  UserRound,
} from 'lucide-react'
import type { KycStatus } from '#contract/kyc.ts'
import { kycQuery } from '#web/kyc/queries.ts'
import { messageOf } from '#web/lib/api.ts'
import { meQuery } from '#web/lib/me.ts'
import { paths } from '#web/lib/paths.ts'
import { usePreferences } from '#web/profile/preferences.ts'
import { profileQuery } from '#web/profile/queries.ts'
import { useSignOut } from '#web/identity/shared/sign-out.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { EmailText } from '#web/ui/email-text.tsx'
import { Failure } from '#web/ui/failure.tsx'
import { ButtonRow, LinkRow } from '#web/ui/row.tsx'
import { Card, Screen, Section } from '#web/ui/screen.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { SwitchRow } from '#web/ui/switch.tsx'
import { useDark } from '#web/ui/theme.ts'

export function SettingsScreen() {
  return (
    <Screen title="Settings" back={paths.dashboard}>
      <Person />
      <Verification />
      <Section title="Account">
        <Card className="divide-y divide-line">
          <LinkRow icon={UserRound} title="Personal Information" to={paths.personalInfo} />
          <LinkRow icon={ShieldCheck} title="Security & Privacy" to={paths.securityPrivacy} />
          <LinkRow icon={CreditCard} title="Payment Methods" to={paths.paymentMethods} />
        </Card>
      </Section>
      <Preferences />
      <Support />
    </Screen>
  )
}

/** Who is signed in. */
function Person() {
  const { data, error, refetch } = useQuery(meQuery)
  if (error && !data) return <Failure message={messageOf(error)} onRetry={() => void refetch()} />
  return (
    <section aria-label="Signed in as" className="flex items-center gap-4 px-1 py-1">
      {data ? (
        <Avatar initials={data.customer.initials} name={data.customer.fullName} className="!size-16 !text-xl" />
      ) : (
        <Skeleton round className="size-16 shrink-0" />
      )}
      <div className="min-w-0 flex-1">
        {data ? (
          <>
            <p className="line-clamp-3 text-lg leading-tight font-semibold tracking-tight">{data.customer.fullName}</p>
            <p className="mt-0.5 text-[0.9375rem] break-words text-ink-soft">
              <EmailText email={data.customer.email} />
            </p>
          </>
        ) : (
          <>
            <Skeleton className="mb-2 h-5 w-40" />
            <Skeleton className="h-4 w-52" />
          </>
        )}
      </div>
    </section>
  )
}

/** What each state of a verification that is not done yet asks of the customer. */
const UNVERIFIED: Record<Exclude<KycStatus, 'approved'>, string> = {
  required: 'Three short steps',
  submitted: 'We are looking at your documents',
  again: 'We need your documents once more',
  rejected: 'We could not verify who you are',
}

/** Leads to what is still missing; where nothing is, or the bank does not say, it stays away. */
function Verification() {
  const { data: kyc } = useQuery(kycQuery)
  const { data: me } = useQuery(meQuery)
  const status = kyc?.status
  const reviewer = me?.customer.role === 'reviewer'
  const unverified = status !== undefined && status !== 'approved'
  if (!unverified && !reviewer) return null
  return (
    <Card className="divide-y divide-line">
      {unverified && (
        <LinkRow
          icon={BadgeCheck}
          tint="orange"
          title="Verify your identity"
          description={UNVERIFIED[status]}
          to={paths.kyc}
        />
      )}
      {reviewer && (
        <LinkRow
          icon={ClipboardCheck}
          title="Identity Reviews"
          description="Documents that wait for you"
          to={paths.review}
        />
      )}
    </Card>
  )
}

function Preferences() {
  const { data } = useQuery(profileQuery)
  const change = usePreferences()
  const [dark, setDark] = useDark()
  return (
    <Section title="Preferences">
      <Card className="divide-y divide-line">
        <SwitchRow
          icon={Bell}
          label="Notifications"
          description="News from Alder, in the app"
          checked={data?.notifications ?? true}
          disabled={!data}
          onChange={(notifications) => change({ notifications })}
        />
        <SwitchRow
          icon={Moon}
          label="Dark Mode"
          description="Easier on the eyes at night"
          checked={dark}
          onChange={setDark}
        />
        <LinkRow icon={Globe} title="Language" to={paths.language} />
      </Card>
    </Section>
  )
}

function Support() {
  const { signOut, busy } = useSignOut()
  return (
    <Section title="Support">
      <Card className="divide-y divide-line">
        <LinkRow icon={LifeBuoy} title="Help Center" to={paths.helpCenter} />
        <ButtonRow icon={LogOut} tint="danger" title="Log Out" busy={busy} onClick={signOut} />
      </Card>
    </Section>
  )
}
