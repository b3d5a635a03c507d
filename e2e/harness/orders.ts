/** A row of data. */
export interface Order {
  readonly id: number
  readonly price: number
  readonly note: string
}

/** So many orders, each of its own. */
export function ordersOf(count: number): Order[] {
  return Array.from({ length: count }, (_order, id) => ({ id, price: id * 1.5, note: `Order ${id}` }))
}
