import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Laptop, type LucideIcon, Smartphone } from 'lucide-react'
import { toast } from 'sonner'
import { type Device, PLACES } from '#contract/identity.ts'
import { messageOf } from '#web/lib/client.ts'
import { useMinute } from '#web/lib/minute.ts'
import { ago } from '#web/lib/moments.ts'
import { devicesQuery, signOutDevice, signOutOthers } from '#web/profile/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { Failure } from '#web/ui/failure.tsx'
import { Row } from '#web/ui/row.tsx'
import { Card } from '#web/ui/screen.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import { Loading, RowSkeletons } from '#web/ui/skeleton.tsx'

type DevicesSheetProps = { open: boolean; onOpenChange: (open: boolean) => void }

/** Where the customer is signed in, and the way to end it. */
export function DevicesSheet({ open, onOpenChange }: DevicesSheetProps) {
  const { data, error, refetch } = useQuery({ ...devicesQuery, enabled: open })
  const { one, others } = useSignOutDevices()
  const more = data?.devices.some(({ current }) => !current) ?? false
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title="Devices"
      description="Where you are signed in."
      footer={
        more && (
          <Button variant="secondary" busy={others.isPending} onClick={() => others.mutate()} className="w-full">
            Sign out all other devices
          </Button>
        )
      }
    >
      {!data && error && <Failure message={messageOf(error)} onRetry={() => void refetch()} />}
      {!data && !error && (
        <Card>
          <Loading label="Loading your devices" />
          <RowSkeletons count={2} />
        </Card>
      )}
      {data && (
        <Devices
          devices={data.devices}
          leaving={one.isPending ? one.variables : null}
          onSignOut={(id) => one.mutate(id)}
        />
      )}
    </Sheet>
  )
}

function useSignOutDevices() {
  const queries = useQueryClient()
  const options = {
    onError: (error: unknown) => void toast.error(messageOf(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: devicesQuery.queryKey }),
  }
  const one = useMutation({
    ...options,
    mutationFn: signOutDevice,
    onSuccess: () => void toast.success('Device signed out'),
  })
  const others = useMutation({
    ...options,
    mutationFn: signOutOthers,
    onSuccess: (left) => {
      queries.setQueryData(devicesQuery.queryKey, left)
      toast.success('Other devices signed out')
    },
  })
  return { one, others }
}

const PHONES = /Android|iOS|iPhone|iPad|Windows Phone/i
const pictureOf = ({ device }: Device): LucideIcon => (PHONES.test(device) ? Smartphone : Laptop)

type DevicesProps = { devices: readonly Device[]; leaving: string | null; onSignOut: (id: string) => void }

function Devices({ devices, leaving, onSignOut }: DevicesProps) {
  const nowMs = useMinute()
  const sorted = devices.toSorted((a, b) => Number(b.current) - Number(a.current))
  return (
    <Card>
      <ul className="divide-y divide-line">
        {sorted.map((device) => (
          <li key={device.id}>
            <Row
              icon={pictureOf(device)}
              tint={device.current ? 'leaf' : 'plain'}
              title={device.device}
              description={
                device.current ? (
                  <>
                    <span className="font-medium text-leaf">This device</span> · {PLACES[device.place]}
                  </>
                ) : (
                  `${PLACES[device.place]} · used ${ago(device.lastUsedAt, nowMs)}`
                )
              }
              trailing={
                !device.current && (
                  <Button
                    variant="quiet"
                    size="small"
                    busy={leaving === device.id}
                    aria-label={`Sign out ${device.device}`}
                    onClick={() => onSignOut(device.id)}
                    className="-me-2 shrink-0"
                  >
                    Sign out
                  </Button>
                )
              }
            />
          </li>
        ))}
      </ul>
    </Card>
  )
}
