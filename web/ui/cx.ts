import { clsx } from 'clsx'

/**
 * Joins class names and leaves out absent ones. (tailwind-merge would add 7 kB to the first load; the `!` modifier replaces
 * it.)
 */
export const cx = clsx
