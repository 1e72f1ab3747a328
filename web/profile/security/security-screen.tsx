import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { BellRing, Download, History, KeyRound, LockKeyhole, MonitorSmartphone } from 'lucide-react'
import { useNavigate } from 'react-router'
import { EXPORT_MARK } from '#contract/file-progress.ts'
import type { Security } from '#contract/identity.ts'
import { toast } from '#web/lib/toast.ts'
import { meQuery } from '#web/lib/me.ts'
import { paths } from '#web/lib/paths.ts'
import { BiometricRow, Passkeys } from '#web/profile/security/biometric.tsx'
import { CloseAccount } from '#web/profile/security/close-account.tsx'
import { usePreferences } from '#web/profile/preferences.ts'
import { askPasswordLink, EXPORT_PATH, securityQuery } from '#web/profile/queries.ts'
import { toastError } from '#web/lib/error-toast.ts'
import { TwoFactor } from '#web/profile/security/two-factor.tsx'
import { DownloadWork, useDownload } from '#web/ui/download-work.tsx'
import { LoadFailure, hasLoadFailed } from '#web/ui/load-failure.tsx'
import { ButtonRow, LinkRow } from '#web/ui/row.tsx'
import { Card, Screen, Section } from '#web/ui/screen.tsx'
import { Loading } from '#web/ui/skeleton.tsx'
import { SwitchRow } from '#web/ui/switch.tsx'

export function SecurityScreen() {
  const { t } = useLingui()
  const query = useQuery(securityQuery)
  const { data } = query
  const mode = useQuery(meQuery).data?.mode
  // A sample visitor without a sign-in method.
  const anonymous = data !== undefined && mode === 'sample' && !data.hasPassword && !hasFactors(data)
  return (
    <Screen title={t`Security & Privacy`} back={paths.settings}>
      {hasLoadFailed(query) ? <LoadFailure {...query} /> : <Security security={data} anonymous={anonymous} />}
      <Access anonymous={anonymous} sample={mode === 'sample'} />
      <YourData />
      <Encryption />
    </Screen>
  )
}

function hasFactors({ passkeys, twoFactor }: Security): boolean {
  return passkeys.length > 0 || twoFactor
}

function Security({ security, anonymous }: { security: Security | undefined; anonymous: boolean }) {
  const { t } = useLingui()
  const change = usePreferences()
  return (
    <>
      <Section title={t`Security`}>
        {!security && <Loading label={t`Loading your security settings`} />}
        <Card className="divide-y divide-line">
          <BiometricRow security={security} anonymous={anonymous} />
          <TwoFactor security={security} />
          <SwitchRow
            icon={BellRing}
            label={t`Transaction Alerts`}
            description={t`Get notified when money moves`}
            checked={security?.transactionAlerts}
            onChange={(transactionAlerts) => change({ transactionAlerts })}
          />
        </Card>
      </Section>
      <Passkeys security={security} />
    </>
  )
}

function Access({ anonymous, sample }: { anonymous: boolean; sample: boolean }) {
  const { t } = useLingui()
  const navigate = useNavigate()
  const password = useMutation({
    mutationFn: askPasswordLink,
    onSuccess: () =>
      toast.success(t`Password change link sent to your email`, {
        ...(sample && { action: { label: t`Open Mailbox`, onClick: () => void navigate(paths.sampleMail) } }),
      }),
    onError: toastError,
  })
  const devices = { icon: MonitorSmartphone, title: t`Manage Devices` }
  return (
    <Section title={t({ message: 'Access', context: 'ways into an account' })}>
      <Card className="divide-y divide-line">
        <ButtonRow
          icon={KeyRound}
          title={t`Change Password`}
          description={t`We'll email you a link`}
          busy={password.isPending}
          onClick={() => password.mutate()}
        />
        {anonymous ? (
          // Without a sign-in method there are no other devices to manage.
          <ButtonRow
            {...devices}
            description={t`You're signed in on this device only`}
            onClick={() =>
              toast.info(t`Feature coming soon!`, {
                description: t`Set a password or add a passkey to use Alder on more devices`,
              })
            }
          />
        ) : (
          <LinkRow {...devices} description={t`See where you're signed in`} to={paths.devices} />
        )}
        <LinkRow
          icon={History}
          title={t`Security Activity`}
          description={t`Sign-ins and changes`}
          to={paths.securityActivity}
        />
      </Card>
    </Section>
  )
}

function YourData() {
  const { t } = useLingui()
  const { fetchFile, received, cancel } = useDownload()
  async function fetchData(): Promise<void> {
    const hasCome = await fetchFile(EXPORT_PATH, 'alder-data.json', EXPORT_MARK)
    if (hasCome) toast.success(t`Your data has been downloaded`)
  }
  return (
    <Section title={t`Your Data`}>
      <Card className="divide-y divide-line">
        <div>
          <ButtonRow
            icon={Download}
            title={t`Download My Data`}
            description={t`Everything we keep about you, as a JSON file`}
            busy={received !== null}
            onClick={() => void fetchData()}
          />
          {received && <DownloadWork label={t`Download My Data`} received={received} onCancel={cancel} />}
        </div>
        <CloseAccount />
      </Card>
    </Section>
  )
}

/** Explains the encryption of secrets. Each claim must match the server's behavior. */
function Encryption() {
  const { t } = useLingui()
  return (
    <section aria-label={t`Encryption`} className="flex gap-3 rounded-card bg-primary-subtle p-4 text-primary">
      <LockKeyhole aria-hidden className="mt-0.5 size-5 shrink-0" strokeWidth={1.9} />
      <div className="min-w-0 text-[0.9375rem] text-pretty">
        <p className="font-semibold">
          <Trans>Protected with 256-bit encryption</Trans>
        </p>
        <p className="mt-0.5 text-ink-soft">
          <Trans>
            We encrypt your identity documents and the setup key of your authenticator app with AES-256. We never store
            your password itself.
          </Trans>
        </p>
      </div>
    </section>
  )
}
