import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Laptop, type LucideIcon, Smartphone } from 'lucide-react'
import type { Device } from '#contract/identity.ts'
import { toast } from '#web/lib/toast.ts'
import { deviceText, networkZoneText } from '#web/i18n/security-words.ts'
import { messageOf } from '#web/lib/api.ts'
import { useNow } from '#web/lib/now.ts'
import { timeAgo } from '#web/lib/local-time.ts'
import { paths } from '#web/lib/paths.ts'
import { devicesQuery, signOutDevice, signOutOthers } from '#web/profile/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { Failure } from '#web/ui/failure.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { Row } from '#web/ui/row.tsx'
import { Rows } from '#web/ui/rows.tsx'
import { Card, Screen } from '#web/ui/screen.tsx'
import { Loading, RowSkeletons } from '#web/ui/skeleton.tsx'

/** Where the customer is signed in, and the way to end it. */
export function DevicesScreen() {
  const { t } = useLingui()
  const { data, error, refetch } = useQuery(devicesQuery)
  const { one, others, failure } = useSignOutDevices()
  const more = data?.devices.some(({ current }) => !current) ?? false
  return (
    <Screen title={t`Devices`} back={paths.securityPrivacy}>
      <p className="px-1 text-[0.9375rem] text-ink-soft">
        <Trans>Where you're signed in.</Trans>
      </p>
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

const PHONES = /Android|iOS|iPhone|iPad|Windows Phone/i
const pictureOf = ({ device }: Device): LucideIcon => (PHONES.test(device.system ?? '') ? Smartphone : Laptop)

function factsOf({ current, networkZone, lastUsedAt }: Device, nowMs: number) {
  const where = { key: 'zone', fact: networkZoneText(networkZone) }
  const ago = timeAgo(lastUsedAt, nowMs)
  const used = (
    <Trans context="device" comment="ago: '5 minutes ago', 'yesterday', 'on Aug 26, 2026'">
      used {ago}
    </Trans>
  )
  if (!current) return [where, { key: 'used', fact: used }]
  const here = (
    <span className="font-medium text-primary">
      <Trans>This device</Trans>
    </span>
  )
  return [{ key: 'current', fact: here }, where]
}

type DevicesProps = { devices: readonly Device[]; leaving: string | null; onSignOut: (id: string) => void }

function Devices({ devices, leaving, onSignOut }: DevicesProps) {
  const nowMs = useNow()
  const sorted = devices.toSorted((a, b) => Number(b.current) - Number(a.current))
  return (
    <Card>
      <Rows of={sorted}>
        {(device) => (
          <Row
            icon={pictureOf(device)}
            tint={device.current ? 'primary' : 'plain'}
            title={deviceText(device.device)}
            description={<Facts facts={factsOf(device, nowMs)} />}
            trailing={
              !device.current && (
                <SignOut
                  deviceName={deviceText(device.device)}
                  busy={leaving === device.id}
                  onSignOut={() => onSignOut(device.id)}
                />
              )
            }
          />
        )}
      </Rows>
    </Card>
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
