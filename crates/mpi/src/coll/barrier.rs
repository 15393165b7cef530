//! `MPI_Barrier` (MPI 5.0 §6.3).

use super::Schedule;
use nemesis_datatype::Buffer;

/// The dissemination barrier (Hensgen, Finkel, Manber 1988): in round k, tell the rank 2^k ahead and hear from the one 2^k behind.
pub fn barrier(schedule: &mut Schedule) {
    let nothing = Buffer::empty();
    let mut distance = 1;
    while distance < schedule.size {
        schedule.send(schedule.after(distance), &nothing);
        schedule.receive(schedule.before(distance), &nothing);
        schedule.wait();
        distance *= 2;
    }
}
