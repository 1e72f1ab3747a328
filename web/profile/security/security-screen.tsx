import { useMutation, useQuery } from '@tanstack/react-query'
import { BellRing, Download, History, KeyRound, LockKeyhole, MonitorSmartphone } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { toast } from 'sonner'
import type { Security } from '#contract/identity.ts'
import { messageOf } from '#web/lib/api.ts'
import { download } from '#web/lib/download.ts'
import { meQuery } from '#web/lib/me.ts'
import { paths } from '#web/lib/paths.ts'
import { ActivitySheet } from '#web/profile/security/activity-sheet.tsx'
import { BiometricRow, Passkeys } from '#web/profile/security/biometric.tsx'
import { CloseAccount } from '#web/profile/security/close-account.tsx'
import { DevicesSheet } from '#web/profile/security/devices-sheet.tsx'
import { usePreferences } from '#web/profile/preferences.ts'
import { askPasswordLink, EXPORT_PATH, securityQuery } from '#web/profile/queries.ts'
import { toastError } from '#web/lib/error-toast.ts'
import { TwoFactor } from '#web/profile/security/two-factor.tsx'
import { Failure } from '#web/ui/failure.tsx'
import { ButtonRow } from '#web/ui/row.tsx'
import { Card, Screen, Section } from '#web/ui/screen.tsx'
import { Loading, RowSkeletons } from '#web/ui/skeleton.tsx'
import { SwitchRow } from '#web/ui/switch.tsx'

export function SecurityScreen() {
  const { data, error, refetch } = useQuery(securityQuery)
  const mode = useQuery(meQuery).data?.mode
  // A sample visitor who has chosen no way to sign in yet.
  const anonymous = data !== undefined && mode === 'sample' && !data.hasPassword && !hasFactors(data)
  return (
    <Screen title="Security & Privacy" back={paths.settings}>
      {data && <Security security={data} anonymous={anonymous} />}
      {!data && error && <Failure message={messageOf(error)} onRetry={() => void refetch()} />}
      {!data && !error && (
        <Card>
          <Loading label="Loading your security settings" />
          <RowSkeletons count={3} />
        </Card>
      )}
      <Access anonymous={anonymous} sample={mode === 'sample'} />
      <YourData />
      <Encryption />
    </Screen>
  )
}

function hasFactors({ passkeys, twoFactor }: Security): boolean {
  return passkeys.length > 0 || twoFactor
}

function Security({ security, anonymous }: { security: Security; anonymous: boolean }) {
  const change = usePreferences()
  return (
    <>
      <Section title="Security">
        <Card className="divide-y divide-line">
          <BiometricRow security={security} anonymous={anonymous} />
          <TwoFactor security={security} />
          <SwitchRow
            icon={BellRing}
            label="Transaction Alerts"
            description="Hear at once when money moves"
            checked={security.transactionAlerts}
            onChange={(transactionAlerts) => change({ transactionAlerts })}
          />
        </Card>
      </Section>
      <Passkeys passkeys={security.passkeys} />
    </>
  )
}

function Access({ anonymous, sample }: { anonymous: boolean; sample: boolean }) {
  const navigate = useNavigate()
  const [open, setOpen] = useState<'devices' | 'activity' | null>(null)
  const password = useMutation({
    mutationFn: askPasswordLink,
    onSuccess: () =>
      void toast.success('Password change link sent to your email', {
        ...(sample && { action: { label: 'Open mailbox', onClick: () => void navigate(paths.sampleMail) } }),
      }),
    onError: toastError,
  })
  return (
    <Section title="Access">
      <Card className="divide-y divide-line">
        <ButtonRow
          icon={KeyRound}
          title="Change Password"
          description="We send a link to your email"
          busy={password.isPending}
          onClick={() => password.mutate()}
        />
        <ButtonRow
          icon={MonitorSmartphone}
          title="Manage Devices"
          description="See where you are signed in"
          opens={!anonymous}
          onClick={() => {
            if (anonymous) toast.success('Feature coming soon!')
            else setOpen('devices')
          }}
        />
        <ButtonRow
          icon={History}
          title="Security Activity"
          description="Sign-ins and changes"
          opens
          onClick={() => setOpen('activity')}
        />
      </Card>
      <DevicesSheet open={open === 'devices'} onOpenChange={(next) => setOpen(next ? 'devices' : null)} />
      <ActivitySheet open={open === 'activity'} onOpenChange={(next) => setOpen(next ? 'activity' : null)} />
    </Section>
  )
}

function YourData() {
  const { mutate, isPending } = useMutation({
    mutationFn: () => download(EXPORT_PATH, 'alder-data.json'),
    onSuccess: () => void toast.success('Your data is downloaded'),
    onError: toastError,
  })
  return (
    <Section title="Your Data">
      <Card className="divide-y divide-line">
        <ButtonRow
          icon={Download}
          title="Download my data"
          description="All we keep about you, as a JSON file"
          busy={isPending}
          onClick={() => mutate()}
        />
        <CloseAccount />
      </Card>
    </Section>
  )
}

/** Says how secrets are kept; it promises nothing that the server does not do. */
function Encryption() {
  return (
    <section aria-label="Encryption" className="flex gap-3 rounded-card bg-primary-subtle p-4 text-primary">
      <LockKeyhole aria-hidden className="mt-0.5 size-5 shrink-0" strokeWidth={1.9} />
      <div className="min-w-0 text-[0.9375rem] text-pretty">
        <p className="font-semibold">Protected with 256-bit encryption</p>
        <p className="mt-0.5 text-ink-soft">
          Your identity documents and the secret of your authenticator app are kept under AES-256. Your password itself
          is kept nowhere, only its digest.
        </p>
      </div>
    </section>
  )
}
