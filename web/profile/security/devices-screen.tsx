import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { History, ShieldCheck } from 'lucide-react'
import type { Device } from '#contract/identity.ts'
import { toast } from '#web/lib/toast.ts'
import { deviceText } from '#web/i18n/security-words.ts'
import { withFullStop } from '#web/i18n/formats.ts'
import { messageOf } from '#web/lib/api.ts'
import { paths } from '#web/lib/paths.ts'
import { DeviceRow } from '#web/profile/security/device-row.tsx'
import { devicesQuery, signOutDevice, signOutOthers } from '#web/profile/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { LinkRow, Row } from '#web/ui/row.tsx'
import { Rows } from '#web/ui/rows.tsx'
import { Card, Screen, Section } from '#web/ui/screen.tsx'
import { Loading, RowSkeletons } from '#web/ui/skeleton.tsx'

/** Lists the devices where the customer is signed in, and the buttons to sign them out. */
export function DevicesScreen() {
  const { t } = useLingui()
  const { data, error, refetch } = useQuery(devicesQuery)
  const { deviceSignOut, othersSignOut, failure } = useSignOutDevices()
  const hasOthers = data?.devices.some(({ current }) => !current) ?? false
  return (
    <Screen title={t`Devices`} back={paths.securityPrivacy}>
      {!data && error && <LoadFailure error={error} refetch={refetch} />}
      {!data && !error && (
        <Card>
          <Loading label={t`Loading your devices`} />
          <RowSkeletons count={2} />
        </Card>
      )}
      {failure && (
        <p role="alert" className="text-sm font-medium text-danger">
          {withFullStop(messageOf(failure))}
        </p>
      )}
      {data && (
        <Devices
          devices={data.devices}
          leaving={deviceSignOut.isPending ? deviceSignOut.variables : null}
          onSignOut={(id) => deviceSignOut.mutate(id)}
        />
      )}
      {hasOthers && (
        <Button variant="secondary" busy={othersSignOut.isPending} onClick={() => othersSignOut.mutate()}>
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
  const deviceSignOut = useMutation({
    ...options,
    mutationFn: signOutDevice,
    onSuccess: () => toast.success(t`Device signed out`),
  })
  const othersSignOut = useMutation({
    ...options,
    mutationFn: signOutOthers,
    onSuccess: (remaining) => {
      queries.setQueryData(devicesQuery.queryKey, remaining)
      toast.success(t`Other devices signed out`)
    },
  })
  return { deviceSignOut, othersSignOut, failure: deviceSignOut.error ?? othersSignOut.error }
}

type DevicesProps = { devices: readonly Device[]; leaving: string | null; onSignOut: (id: string) => void }

function Devices({ devices, leaving, onSignOut }: DevicesProps) {
  const { t } = useLingui()
  const otherDevices = devices.filter(({ current }) => !current)
  return (
    <>
      <Section title={t({ message: 'This Device', context: 'heading' })}>
        <Card>
          <Rows of={devices.filter(({ current }) => current)}>{(device) => <DeviceRow device={device} />}</Rows>
        </Card>
      </Section>
      <Section title={t`Other Devices`}>
        <Card>
          {otherDevices.length === 0 && (
            <Row
              icon={ShieldCheck}
              tint="plain"
              title={t`You're not signed in anywhere else`}
              description={t`Other devices you sign in on will appear here, and you can sign them out`}
            />
          )}
          <Rows of={otherDevices}>
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
