// generated from api/ by cargo xtask generate; do not edit
//! The procedures: mpix.
//!
//! Every call is unsafe in the way of the C functions: the caller promises what the
//! standard asks of each argument.

use crate::prelude::*;

procedure! {
    comm_ack_failed(comm: *mut Fint, num_to_ack: *mut c_int, num_acked: *mut c_int,
        ierror: *mut Fint);
    let code = c::PMPIX_Comm_ack_failed(handle::<COMM>(comm), *num_to_ack, num_acked);
    finish(ierror, code);
}
exports!(comm_ack_failed: mpix_comm_ack_failed_ mpix_comm_ack_failed__ mpix_comm_ack_failed MPIX_COMM_ACK_FAILED pmpix_comm_ack_failed_ pmpix_comm_ack_failed__ pmpix_comm_ack_failed PMPIX_COMM_ACK_FAILED);
exports_f08!(comm_ack_failed: mpix_comm_ack_failed_f08_ pmpixr_comm_ack_failed_f08_; comm_ack_failed: mpix_comm_ack_failed_f08_ pmpix_comm_ack_failed_f08_);

procedure! {
    comm_agree(comm: *mut Fint, flag: *mut c_int, ierror: *mut Fint);
    let code = c::PMPIX_Comm_agree(handle::<COMM>(comm), flag);
    finish(ierror, code);
}
exports!(comm_agree: mpix_comm_agree_ mpix_comm_agree__ mpix_comm_agree MPIX_COMM_AGREE pmpix_comm_agree_ pmpix_comm_agree__ pmpix_comm_agree PMPIX_COMM_AGREE);
exports_f08!(comm_agree: mpix_comm_agree_f08_ pmpixr_comm_agree_f08_; comm_agree: mpix_comm_agree_f08_ pmpix_comm_agree_f08_);

procedure! {
    comm_failure_ack(comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPIX_Comm_failure_ack(handle::<COMM>(comm));
    finish(ierror, code);
}
exports!(comm_failure_ack: mpix_comm_failure_ack_ mpix_comm_failure_ack__ mpix_comm_failure_ack MPIX_COMM_FAILURE_ACK pmpix_comm_failure_ack_ pmpix_comm_failure_ack__ pmpix_comm_failure_ack PMPIX_COMM_FAILURE_ACK);
exports_f08!(comm_failure_ack: mpix_comm_failure_ack_f08_ pmpixr_comm_failure_ack_f08_; comm_failure_ack: mpix_comm_failure_ack_f08_ pmpix_comm_failure_ack_f08_);

procedure! {
    comm_failure_get_acked(comm: *mut Fint, failedgrp: *mut Fint, ierror: *mut Fint);
    let mut failedgrp_c = handle::<GROUP>(failedgrp);
    let code = c::PMPIX_Comm_failure_get_acked(handle::<COMM>(comm), &mut failedgrp_c);
    give(failedgrp, failedgrp_c);
    finish(ierror, code);
}
exports!(comm_failure_get_acked: mpix_comm_failure_get_acked_ mpix_comm_failure_get_acked__ mpix_comm_failure_get_acked MPIX_COMM_FAILURE_GET_ACKED pmpix_comm_failure_get_acked_ pmpix_comm_failure_get_acked__ pmpix_comm_failure_get_acked PMPIX_COMM_FAILURE_GET_ACKED);
exports_f08!(comm_failure_get_acked: mpix_comm_failure_get_acked_f08_ pmpixr_comm_failure_get_acked_f08_; comm_failure_get_acked: mpix_comm_failure_get_acked_f08_ pmpix_comm_failure_get_acked_f08_);

procedure! {
    comm_get_failed(comm: *mut Fint, failedgrp: *mut Fint, ierror: *mut Fint);
    let mut failedgrp_c = handle::<GROUP>(failedgrp);
    let code = c::PMPIX_Comm_get_failed(handle::<COMM>(comm), &mut failedgrp_c);
    give(failedgrp, failedgrp_c);
    finish(ierror, code);
}
exports!(comm_get_failed: mpix_comm_get_failed_ mpix_comm_get_failed__ mpix_comm_get_failed MPIX_COMM_GET_FAILED pmpix_comm_get_failed_ pmpix_comm_get_failed__ pmpix_comm_get_failed PMPIX_COMM_GET_FAILED);
exports_f08!(comm_get_failed: mpix_comm_get_failed_f08_ pmpixr_comm_get_failed_f08_; comm_get_failed: mpix_comm_get_failed_f08_ pmpix_comm_get_failed_f08_);

procedure! {
    comm_iagree(comm: *mut Fint, flag: *mut c_int, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPIX_Comm_iagree(handle::<COMM>(comm), flag, &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
exports!(comm_iagree: mpix_comm_iagree_ mpix_comm_iagree__ mpix_comm_iagree MPIX_COMM_IAGREE pmpix_comm_iagree_ pmpix_comm_iagree__ pmpix_comm_iagree PMPIX_COMM_IAGREE);
exports_f08!(comm_iagree: mpix_comm_iagree_f08_ pmpixr_comm_iagree_f08_; comm_iagree: mpix_comm_iagree_f08_ pmpix_comm_iagree_f08_);

procedure! {
    comm_is_revoked(comm: *mut Fint, flag: *mut c_int, ierror: *mut Fint);
    let mut flag_c = 0;
    let code = c::PMPIX_Comm_is_revoked(handle::<COMM>(comm), &mut flag_c);
    logical(flag, flag_c);
    finish(ierror, code);
}
exports!(comm_is_revoked: mpix_comm_is_revoked_ mpix_comm_is_revoked__ mpix_comm_is_revoked MPIX_COMM_IS_REVOKED pmpix_comm_is_revoked_ pmpix_comm_is_revoked__ pmpix_comm_is_revoked PMPIX_COMM_IS_REVOKED);
exports_f08!(comm_is_revoked: mpix_comm_is_revoked_f08_ pmpixr_comm_is_revoked_f08_; comm_is_revoked: mpix_comm_is_revoked_f08_ pmpix_comm_is_revoked_f08_);

procedure! {
    comm_ishrink(comm: *mut Fint, newcomm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut newcomm_c = handle::<COMM>(newcomm);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPIX_Comm_ishrink(handle::<COMM>(comm), &mut newcomm_c, &mut request_c);
    give(newcomm, newcomm_c);
    give_request(request, request_c);
    finish(ierror, code);
}
exports!(comm_ishrink: mpix_comm_ishrink_ mpix_comm_ishrink__ mpix_comm_ishrink MPIX_COMM_ISHRINK pmpix_comm_ishrink_ pmpix_comm_ishrink__ pmpix_comm_ishrink PMPIX_COMM_ISHRINK);
exports_f08!(comm_ishrink: mpix_comm_ishrink_f08_ pmpixr_comm_ishrink_f08_; comm_ishrink: mpix_comm_ishrink_f08_ pmpix_comm_ishrink_f08_);

procedure! {
    comm_revoke(comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPIX_Comm_revoke(handle::<COMM>(comm));
    finish(ierror, code);
}
exports!(comm_revoke: mpix_comm_revoke_ mpix_comm_revoke__ mpix_comm_revoke MPIX_COMM_REVOKE pmpix_comm_revoke_ pmpix_comm_revoke__ pmpix_comm_revoke PMPIX_COMM_REVOKE);
exports_f08!(comm_revoke: mpix_comm_revoke_f08_ pmpixr_comm_revoke_f08_; comm_revoke: mpix_comm_revoke_f08_ pmpix_comm_revoke_f08_);

procedure! {
    comm_shrink(comm: *mut Fint, newcomm: *mut Fint, ierror: *mut Fint);
    let mut newcomm_c = handle::<COMM>(newcomm);
    let code = c::PMPIX_Comm_shrink(handle::<COMM>(comm), &mut newcomm_c);
    give(newcomm, newcomm_c);
    finish(ierror, code);
}
exports!(comm_shrink: mpix_comm_shrink_ mpix_comm_shrink__ mpix_comm_shrink MPIX_COMM_SHRINK pmpix_comm_shrink_ pmpix_comm_shrink__ pmpix_comm_shrink PMPIX_COMM_SHRINK);
exports_f08!(comm_shrink: mpix_comm_shrink_f08_ pmpixr_comm_shrink_f08_; comm_shrink: mpix_comm_shrink_f08_ pmpix_comm_shrink_f08_);
