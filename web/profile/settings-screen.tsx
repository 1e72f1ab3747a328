import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import {
  BadgeCheck,
  Bell,
  ChevronRight,
  ClipboardCheck,
  CreditCard,
  FileText,
  Globe,
  LifeBuoy,
  LogOut,
  Moon,
  ShieldCheck,
  SunMoon,
  UserRound,
} from 'lucide-react'
import type { KycStatus } from '#contract/documents.ts'
import { kycQuery } from '#web/kyc/queries.ts'
import { meQuery } from '#web/lib/me.ts'
import { paths } from '#web/lib/paths.ts'
import { usePreferences } from '#web/profile/preferences.ts'
import { profileQuery } from '#web/profile/queries.ts'
import { useSignOut } from '#web/identity/shared/sign-out.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { cx } from '#web/ui/cx.ts'
import { EmailText } from '#web/ui/email-text.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { ButtonRow, LinkRow } from '#web/ui/row.tsx'
import { Card, Screen, Section } from '#web/ui/screen.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { SwitchRow } from '#web/ui/switch.tsx'
import { useDark, useTheme } from '#web/ui/theme.ts'

export function SettingsScreen() {
  const { t } = useLingui()
  return (
    <Screen title={t`Settings`} back={paths.dashboard}>
      <Person />
      <Reviews />
      <Section title={t({ message: 'Account', context: 'settings' })}>
        <Card className="divide-y divide-line">
          <LinkRow icon={UserRound} title={t`Personal Information`} to={paths.personalInfo} />
          <LinkRow icon={ShieldCheck} title={t`Security & Privacy`} to={paths.securityPrivacy} />
          <LinkRow icon={CreditCard} title={t`Payment Methods`} to={paths.paymentMethods} />
          <LinkRow icon={FileText} title={t`Statements`} to={paths.statements} />
        </Card>
      </Section>
      <Preferences />
      <Support />
    </Screen>
  )
}

/** Shows the signed-in customer. */
function Person() {
  const { t } = useLingui()
  const { data, error, refetch } = useQuery(meQuery)
  if (error && !data) return <LoadFailure error={error} refetch={refetch} />
  return (
    <section
      aria-label={t({ message: 'Signed in as', comment: "The name of the section with the customer's name and email" })}
      className="@container px-1 py-1"
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {data ? (
          <Avatar initials={data.customer.initials} name={data.customer.fullName} className="!size-16 !text-xl" />
        ) : (
          <Skeleton round className="size-16 shrink-0" />
        )}
        <div className="min-w-0 flex-1 basis-36">
          {data ? (
            <>
              <p className="line-clamp-3 text-lg leading-tight rtl:leading-normal font-semibold tracking-tight">
                {data.customer.fullName}
              </p>
              <p className="mt-0.5 text-[0.9375rem] break-words text-ink-soft">
                <EmailText email={data.customer.email} />
              </p>
            </>
          ) : (
            <>
              <Skeleton line className="w-40 text-lg leading-tight" />
              <Skeleton line className="mt-0.5 w-52 text-[0.9375rem]" />
            </>
          )}
          <Verification />
        </div>
      </div>
    </section>
  )
}

/** The text of each verification status for the customer. */
const VERIFICATION: Record<KycStatus, MessageDescriptor> = {
  required: msg`Verify Your Identity`,
  submitted: msg`We're checking your documents`,
  again: msg`We need new documents`,
  rejected: msg`We couldn't verify your identity`,
  approved: msg`Identity verified`,
}

const VERIFICATION_LINE = 'mt-1 flex min-h-6 items-center gap-1.5 text-sm font-medium'

/**
 * Shows the state of identity verification and links to the missing steps. Shows nothing if the bank has no identity
 * verification.
 */
function Verification() {
  const { t } = useLingui()
  const { data, isPending } = useQuery(kycQuery)
  if (!data) return <div className={VERIFICATION_LINE}>{isPending && <Skeleton line className="w-40" />}</div>
  const text = t(VERIFICATION[data.status])
  if (data.status === 'approved') {
    return (
      <p className={cx(VERIFICATION_LINE, 'text-primary')}>
        <BadgeCheck aria-hidden className="size-4 shrink-0" strokeWidth={2} />
        {text}
      </p>
    )
  }
  return (
    <Link
      to={paths.kyc}
      className={cx(VERIFICATION_LINE, 'relative text-orange after:absolute after:inset-x-0 after:-inset-y-2.5')}
    >
      <BadgeCheck aria-hidden className="size-4 shrink-0" strokeWidth={2} />
      <span className="min-w-0">{text}</span>
      <ChevronRight aria-hidden className="size-4 shrink-0 rtl:-scale-x-100" strokeWidth={2.2} />
    </Link>
  )
}

/** Links a reviewer to the waiting cases. */
function Reviews() {
  const { t } = useLingui()
  const { data } = useQuery(meQuery)
  if (data?.customer.role !== 'reviewer') return null
  return (
    <Card>
      <LinkRow
        icon={ClipboardCheck}
        title={t`Identity Reviews`}
        description={t`Documents waiting for your review`}
        to={paths.review}
      />
    </Card>
  )
}

function Preferences() {
  const { t } = useLingui()
  const { data } = useQuery(profileQuery)
  const change = usePreferences()
  const [theme, setTheme] = useTheme()
  const [dark, setDark] = useDark()
  return (
    <Section title={t`Preferences`}>
      <Card className="divide-y divide-line">
        <SwitchRow
          icon={Bell}
          label={t`Notifications`}
          description={t`All notifications in the app`}
          checked={data?.notifications}
          onChange={(notifications) => change({ notifications })}
        />
        <SwitchRow
          icon={Moon}
          label={t`Dark Mode`}
          description={t`Easier on the eyes at night`}
          checked={dark}
          onChange={setDark}
        />
        <SwitchRow
          icon={SunMoon}
          label={t({ message: 'Use Device Setting', comment: 'A switch below the switch for dark mode' })}
          description={t`Dark Mode follows your device`}
          checked={theme === 'system'}
          // When the customer turns this off, the current theme becomes the chosen one, so that the screen does not change.
          onChange={(follows) => (follows ? setTheme('system') : setDark(dark))}
        />
        <LinkRow icon={Globe} title={t`Language`} to={paths.language} />
      </Card>
    </Section>
  )
}

function Support() {
  const { t } = useLingui()
  const { signOut, busy } = useSignOut()
  return (
    <Section title={t({ message: 'Support', context: 'help for customers' })}>
      <Card className="divide-y divide-line">
        <LinkRow icon={LifeBuoy} title={t`Help Center`} to={paths.helpCenter} />
        <ButtonRow icon={LogOut} directed tint="danger" title={t`Log Out`} busy={busy} onClick={signOut} />
      </Card>
    </Section>
  )
}
