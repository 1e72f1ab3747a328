import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { History, ShieldCheck } from 'lucide-react'
import type { Device } from '#contract/identity.ts'
import { toast } from '#web/lib/toast.ts'
import { deviceText } from '#web/i18n/security-words.ts'
import { messageOf } from '#web/lib/api.ts'
import { paths } from '#web/lib/paths.ts'
import { DeviceRow } from '#web/profile/security/device-row.tsx'
import { devicesQuery, signOutDevice, signOutOthers } from '#web/profile/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { Failure } from '#web/ui/failure.tsx'
import { LinkRow, Row } from '#web/ui/row.tsx'
import { Rows } from '#web/ui/rows.tsx'
import { Card, Screen, Section } from '#web/ui/screen.tsx'
import { Loading, RowSkeletons } from '#web/ui/skeleton.tsx'

/** Where the customer is signed in, and the way to end it. */
export function DevicesScreen() {
  const { t } = useLingui()
  const { data, error, refetch } = useQuery(devicesQuery)
  const { one, others, failure } = useSignOutDevices()
  const more = data?.devices.some(({ current }) => !current) ?? false
  return (
    <Screen title={t`Devices`} back={paths.securityPrivacy}>
      {!data && error && <Failure error={error} refetch={refetch} />}
      {!data && !error && (
        <Card>
          <Loading label={t`Loading your devices`} />
          <RowSkeletons count={2} />
        </Card>
      )}
      {failure && (
        <p role="alert" className="text-sm font-medium text-danger">
          {messageOf(failure)}
        </p>
      )}
      {data && (
        <Devices
          devices={data.devices}
          leaving={one.isPending ? one.variables : null}
          onSignOut={(id) => one.mutate(id)}
        />
      )}
      {more && (
        <Button variant="secondary" busy={others.isPending} onClick={() => others.mutate()}>
          <Trans>Sign Out All Other Devices</Trans>
        </Button>
      )}
      <Card>
        <LinkRow
          icon={History}
          title={t`Security Activity`}
          description={t`Sign-ins and changes`}
          to={paths.securityActivity}
        />
      </Card>
    </Screen>
  )
}

function useSignOutDevices() {
  const { t } = useLingui()
  const queries = useQueryClient()
  const options = {
    onSettled: () => queries.invalidateQueries({ queryKey: devicesQuery.queryKey }),
  }
  const one = useMutation({
    ...options,
    mutationFn: signOutDevice,
    onSuccess: () => toast.success(t`Device signed out`),
  })
  const others = useMutation({
    ...options,
    mutationFn: signOutOthers,
    onSuccess: (left) => {
      queries.setQueryData(devicesQuery.queryKey, left)
      toast.success(t`Other devices signed out`)
    },
  })
  return { one, others, failure: one.error ?? others.error }
}

type DevicesProps = { devices: readonly Device[]; leaving: string | null; onSignOut: (id: string) => void }

function Devices({ devices, leaving, onSignOut }: DevicesProps) {
  const { t } = useLingui()
  const others = devices.filter(({ current }) => !current)
  return (
    <>
      <Section title={t({ message: 'This Device', context: 'heading' })}>
        <Card>
          <Rows of={devices.filter(({ current }) => current)}>{(device) => <DeviceRow device={device} />}</Rows>
        </Card>
      </Section>
      <Section title={t`Other Devices`}>
        <Card>
          {others.length === 0 && (
            <Row
              icon={ShieldCheck}
              tint="plain"
              title={t`You're signed in nowhere else`}
              description={t`Devices you sign in on appear here, and you can sign them out`}
            />
          )}
          <Rows of={others}>
            {(device) => (
              <DeviceRow
                device={device}
                trailing={
                  <SignOut
                    deviceName={deviceText(device.device)}
                    busy={leaving === device.id}
                    onSignOut={() => onSignOut(device.id)}
                  />
                }
              />
            )}
          </Rows>
        </Card>
      </Section>
    </>
  )
}

type SignOutProps = { deviceName: string; busy: boolean; onSignOut: () => void }

function SignOut({ deviceName, busy, onSignOut }: SignOutProps) {
  const { t } = useLingui()
  return (
    <Button
      variant="quiet"
      size="small"
      busy={busy}
      aria-label={t`Sign Out ${deviceName}`}
      onClick={onSignOut}
      className="-me-2 shrink-0"
    >
      <Trans comment="Ends the session of another device">Sign Out</Trans>
    </Button>
  )
}
